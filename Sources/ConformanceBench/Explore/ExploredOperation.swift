import JSONKit

/// A random operation of a sequence. It can use values from earlier answers. It refers to these answers by number, and
/// not by value, since the subject and the reference server answer with different values.
struct ExploredOperation: Hashable, Sendable {
  /// The index of the operation in the exploration's list of possible operations.
  var draw: Int
  /// The number of the operation in the original sequence. It stays the same when the sequence is shortened.
  var serial: Int
  /// Maps the name of each choice to the index of the chosen value.
  var choices: [String: Int]
  /// Maps the name of each value from an earlier answer to the number of the operation with this answer.
  var kept: [String: Int]
}

/// A difference between an answer of the subject and the answer of the reference server.
package struct Disagreement: Hashable, Sendable {
  /// The name of the exchange or the command.
  var operation: String
  /// The JSON path of the difference in the answer.
  var at: String
  var expected: JSON
  var observed: JSON
  /// The whole answer of the reference server.
  var answer: JSON

  /// Whether the other disagreement has the same operation, path and expected status. The values at the path may
  /// differ.
  func isLike(_ other: Disagreement) -> Bool {
    operation == other.operation && at == other.at && answer["status"] == other.answer["status"]
  }
}
