import Certification
import CommandInterface
import ConformanceModel
import Records

extension RecordFacts {
  /// Reads a record, with the frozen set and the disputed requirements of its protocol.
  package init(readingFrom path: String, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    try self.init(RunRecordReader(path), of: source, definition)
  }

  /// Reads the lines after the header, with the frozen set and the disputed requirements of the record's protocol.
  init(_ record: consuming RunRecordReader, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    try self.init(record, scoredBy: ScoredCases(of: source), disputed: Set(definition.disputed.keys))
  }
}
