import Certification
import CommandInterface
import ConformanceModel

extension RecordFacts {
  /// Reads a record, with the frozen set and the disputed requirements of its protocol.
  package init(readingFrom path: String, of source: ProtocolSource, _ definition: ProtocolDefinition) throws {
    try self.init(
      readingFrom: path, scoredBy: ScoredCases(of: source), disputed: Set(definition.disputed.keys))
  }
}
