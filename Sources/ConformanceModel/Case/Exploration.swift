import JSONKit
import Templates

/// Random operations that the kit sends to the subject. The subject's answers must equal the answers of the protocol's
/// reference server.
package struct Exploration: Hashable, Sendable {
  /// An operation that can be chosen.
  package struct Draw: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
      /// A request to the subject, made from a golden exchange.
      case send(exchange: String)
      /// An operator's command.
      case call(String)
    }

    package var action: Action
    /// The weight with which the operation is drawn: twice the weight means twice as often.
    package var weight: Int
    /// Values for the holes of the request, or the parameters of the command.
    package var with: Template
    /// Names for values in the answer, each with the path of its value. Later operations can use the values by these
    /// names.
    package var keeps: [String: JSONPath]
    /// Paths in the answer at which the answers of the subject and the reference server must be equal.
    package var same: [JSONPath]
    /// Paths in the answer at which the two use different ids, for example because each server generates its own. An id
    /// of the subject must correspond to the same id of the reference server during the whole sequence.
    package var names: [JSONPath]

    package init(
      _ action: Action, weight: Int = 1, with: Template, keeps: [String: JSONPath] = [:], same: [JSONPath] = [],
      names: [JSONPath] = []
    ) {
      self.action = action
      self.weight = weight
      self.with = with
      self.keeps = keeps
      self.same = same
      self.names = names
    }

    /// The name of the exchange or the command.
    package var word: String {
      switch action {
      case .send(let exchange): exchange
      case .call(let command): command
      }
    }
  }

  /// A name with several possible values. Each operation that uses the name gets one of the values at random.
  package struct Choice: Hashable, Sendable {
    package var name: String
    package var values: [Template]

    package init(name: String, values: [Template]) {
      self.name = name
      self.values = values
    }
  }

  /// The names that every operation can use: a text that is unique for each sequence, and the number of the operation.
  package static let ownNames = ["run", "serial"]

  /// The number of sequences.
  package var runs: Int
  /// The largest number of operations in a sequence.
  package var operations: Int
  package var choices: [Choice]
  package var draws: [Draw]

  package init(runs: Int, operations: Int, choices: [Choice], draws: [Draw]) {
    self.runs = runs
    self.operations = operations
    self.choices = choices
    self.draws = draws
  }

  /// The names under which operations keep values from answers.
  package var keptNames: Set<String> { Set(draws.flatMap(\.keeps.keys)) }
}
