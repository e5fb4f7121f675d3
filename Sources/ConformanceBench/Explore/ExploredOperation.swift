import JSONKit

/// An operation of a sequence as it was drawn, without a value that only one side has.
struct ExploredOperation: Hashable, Sendable {
  /// Which of the draws it is.
  var draw: Int
  /// Its number in the sequence that was drawn; it stays when others are left out.
  var serial: Int
  /// Which value each choice has.
  var choices: [String: Int]
  /// Whose answer each kept name is taken from, by its number.
  var kept: [String: Int]
}

/// An answer of the subject that is not the reference server's.
package struct Disagreement: Hashable, Sendable {
  /// The exchange or the command.
  var operation: String
  /// Where in the answer.
  var at: String
  var expected: JSON
  var observed: JSON
  /// The whole answer of the reference server.
  var answer: JSON

  /// Whether it is the same mistake, whatever the values are.
  func isLike(_ other: Disagreement) -> Bool {
    operation == other.operation && at == other.at && answer["status"] == other.answer["status"]
  }
}
