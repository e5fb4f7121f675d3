import ConformanceVerdict
import FoundationEssentials
import TextKit

/// The cases for which at least one verdict failed or was unjudged in an earlier run.
package struct LastFailures {
  /// The names of the cases, with rows and dialects, in the form that `--case` accepts.
  package let names: [String]

  /// Reads the record of the earlier run. Throws ``BadInput`` if the file does not exist, or if its record contains no
  /// failed or unjudged verdict.
  package init(in record: String) throws {
    guard FileManager.default.fileExists(atPath: record) else {
      throw BadInput("there is no record '\(record)' of an earlier run: run once without --last-failed")
    }
    let open = try RunRecord(readingFrom: record).rulings.filter { [.fail, .error].contains($0.disposition) }
    names = Set(open.map { "\($0.verdict.instance.name)@\($0.verdict.instance.dialect)" }).sorted()
    guard !names.isEmpty else {
      throw BadInput("nothing failed or stayed unjudged in '\(record)': run without --last-failed")
    }
  }
}
