import JSONKit

/// Operations that are drawn at random and asked of the subject, whose answers must be those of the protocol's reference
/// server.
package struct Exploration: Hashable, Sendable {
  /// Something that can be drawn.
  package struct Draw: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
      /// A request to the subject, made from a golden exchange.
      case send(exchange: String)
      /// A command for its operator.
      case call(String)
    }

    package var action: Action
    /// How often it is drawn, beside the others.
    package var weight: Int
    /// Values for holes of the request, or the parameters of the command.
    package var with: Template
    /// What later operations may refer to, by name: where it stands in the answer.
    package var keeps: [String: JSONPath]
    /// Where both sides must say the same.
    package var same: [JSONPath]
    /// Where each side has names of its own, which must mean the same.
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

    /// The exchange or the command.
    package var word: String {
      switch action {
      case .send(let exchange): exchange
      case .call(let command): command
      }
    }
  }

  /// A name, and the values that it may have in an operation.
  package struct Choice: Hashable, Sendable {
    package var name: String
    package var values: [Template]

    package init(name: String, values: [Template]) {
      self.name = name
      self.values = values
    }
  }

  /// The names that every operation has: a text of each sequence's own, and the number of the operation.
  package static let ownNames = ["run", "serial"]

  /// How many sequences are drawn.
  package var runs: Int
  /// How many operations a sequence has.
  package var operations: Int
  package var choices: [Choice]
  package var draws: [Draw]

  package init(runs: Int, operations: Int, choices: [Choice], draws: [Draw]) {
    self.runs = runs
    self.operations = operations
    self.choices = choices
    self.draws = draws
  }

  /// The names under which answers are kept.
  package var keptNames: Set<String> { Set(draws.flatMap(\.keeps.keys)) }
}
