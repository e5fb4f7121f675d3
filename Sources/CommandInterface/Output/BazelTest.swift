import Files
import FoundationEssentials
import Records

/// The variables by which Bazel asks a test for files and names its cases.
package struct BazelTest {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

  /// The file for the JUnit view; nil where Bazel asks for none.
  package var junit: String? { value("XML_OUTPUT_FILE") }

  /// The cases that `bazel test --test_filter` names; nil where it names none.
  package var cases: String? { value("TESTBRIDGE_TEST_ONLY") }

  /// Creates the file that Bazel expects of a test that splits itself. Without it Bazel fails the shards.
  package func acknowledgeSharding() throws {
    guard let file = value("TEST_SHARD_STATUS_FILE") else { return }
    try OutputFile(file).finish()
  }

  private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
