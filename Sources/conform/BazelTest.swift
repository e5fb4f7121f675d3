import ConformanceReport
import FoundationEssentials

/// The variables by which Bazel asks a test for files and names its cases.
struct BazelTest {
  private let environment: [String: String]

  init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

  /// The file for the JUnit view; nil where Bazel asks for none.
  var junit: String? { value("XML_OUTPUT_FILE") }

  /// The cases that `bazel test --test_filter` names; nil where it names none.
  var cases: String? { value("TESTBRIDGE_TEST_ONLY") }

  /// Creates the file that Bazel expects of a test that splits itself. Without it Bazel fails the shards.
  func acknowledgeSharding() throws {
    guard let file = value("TEST_SHARD_STATUS_FILE") else { return }
    try OutputFile(file).finish()
  }

  private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
