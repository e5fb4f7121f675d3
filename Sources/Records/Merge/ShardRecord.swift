import ConformanceVerdict
import JSONKit

/// The record of one shard, in the order in which it was written.
package struct ShardRecord: Sendable {
  /// The participants that are tested together, such as an SDK and a server, and the lines about their cases.
  package struct Group: Sendable {
    package var subjects: [RunRecord.Participant]
    /// The lines about cases in doubt, about runs of cases and about verdicts.
    package var lines: [RunRecord.Line] = []
  }

  package let path: String
  package let header: RunRecord.Header
  package private(set) var groups: [Group] = []
  /// The last line of the record; nil if the run was killed.
  package private(set) var end: RunRecord.End?

  /// Reads the lines after the header. `audit` gets each line, and can refuse it with an error. Throws ``FileProblem``
  /// or ``LineProblem``.
  package init(
    _ reader: consuming RunRecordReader, at path: String,
    audit: (RunRecord.Line) throws(JSONField.Problem) -> Void = { _ in }
  ) throws {
    self.path = path
    header = reader.header
    do throws(JSONField.Problem) { try audit(.run(reader.header)) } catch { throw reader.problem(error) }
    while let line = try reader.next() {
      do throws(JSONField.Problem) { try audit(line) } catch { throw reader.problem(error) }
      add(line)
    }
  }

  private mutating func add(_ line: RunRecord.Line) {
    switch line {
    case .run: break
    case .subject(let subject):
      if groups.last?.lines.isEmpty ?? false {
        groups[groups.count - 1].subjects.append(subject)
      } else {
        groups.append(Group(subjects: [subject]))
      }
    case .end(let end): self.end = end
    case .doubt, .testCase, .verdict: if !groups.isEmpty { groups[groups.count - 1].lines.append(line) }
    }
  }

  /// The runs of cases that have a result.
  package var cases: [RunRecord.CaseRun] {
    groups.flatMap(\.lines).compactMap { if case .testCase(let run) = $0 { run } else { nil } }
  }
}
