import JSONKit

/// A random operation of a sequence. It can use values from earlier answers. It refers to these answers by number,
/// since the values of the subject differ from the values of the reference server.
struct ExploredOperation: Hashable, Sendable {
  /// The index of the operation in the exploration's list of possible operations.
  var draw: Int
  /// The number of the operation in the original sequence. It stays the same when other operations are left out.
  var serial: Int
  /// The index of each chosen value, by the name of the choice.
  var choices: [String: Int]
  /// The number of the operation whose answer provides a value, by the name of the value.
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

  /// Whether the other disagreement has the same operation, path and expected status. Its values may differ.
  func isLike(_ other: Disagreement) -> Bool {
    operation == other.operation && at == other.at && answer["status"] == other.answer["status"]
  }
}
