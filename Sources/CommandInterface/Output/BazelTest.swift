import Files
import FoundationEssentials
import Records

/// The environment variables with which Bazel asks a test for output files and selects its cases.
package struct BazelTest {
  private let environment: [String: String]

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

  /// The path at which Bazel expects a JUnit file; nil if Bazel expects no JUnit file.
  package var junit: String? { value("XML_OUTPUT_FILE") }

  /// The value of `bazel test --test_filter`, which selects cases; nil without a filter.
  package var cases: String? { value("TESTBRIDGE_TEST_ONLY") }

  /// Creates the file that Bazel expects from a test that supports shards. If the file is missing, Bazel fails the
  /// shards.
  package func acknowledgeSharding() throws {
    guard let file = value("TEST_SHARD_STATUS_FILE") else { return }
    try OutputFile(file).finish()
  }

  private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}
