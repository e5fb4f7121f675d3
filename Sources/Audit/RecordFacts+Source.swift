import Certification
import CommandInterface
import ConformanceModel
import ConformanceVerdict
import Records

extension RecordFacts {
  /// The facts of a record without its lines, with the frozen set and the disputed requirements of its protocol.
  init(_ header: RunRecord.Header, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    self.init(header, scoredBy: try ScoredCases(of: source), disputed: Set(definition.disputed.keys))
  }

  /// Reads the facts from a record. The frozen set and the list of disputed requirements of the protocol decide which
  /// verdicts count.
  package init(readingFrom path: String, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    try self.init(RunRecordReader(path), of: source, definition)
  }

  /// Like ``init(readingFrom:of:_:)``, but for a record whose header was already read.
  init(_ record: consuming RunRecordReader, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    try self.init(record, scoredBy: ScoredCases(of: source), disputed: Set(definition.disputed.keys))
  }
}
