import JSONKit
import Templates

/// Operations that are drawn at random and sent to the subject. Its answers must equal those of the protocol's
/// reference server.
package struct Exploration: Hashable, Sendable {
  /// An operation that can be drawn.
  package struct Draw: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
      /// A request to the subject, made from a golden exchange.
      case send(exchange: String)
      /// A command for the operator of the subject.
      case call(String)
    }

    package var action: Action
    /// How often it is drawn, relative to the others.
    package var weight: Int
    /// Values for the holes of the request, or the parameters of the command.
    package var with: Template
    /// Paths in the answer by name; later operations refer to the values there by these names.
    package var keeps: [String: JSONPath]
    /// Paths at which both answers must be equal.
    package var same: [JSONPath]
    /// Paths at which each side uses names of its own; a name must correspond to the same name of the other side
    /// throughout.
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

  /// A name with the values that it may have in an operation.
  package struct Choice: Hashable, Sendable {
    package var name: String
    package var values: [Template]

    package init(name: String, values: [Template]) {
      self.name = name
      self.values = values
    }
  }

  /// The names that every operation has: a text that is unique for each sequence, and the number of the operation.
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

  /// The names of values that draws keep from answers.
  package var keptNames: Set<String> { Set(draws.flatMap(\.keeps.keys)) }
}
