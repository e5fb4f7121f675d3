import JSONKit
import Templates

/// A server that a data file (`server.yaml`) defines: rules for the answers to requests, and the states that the server
/// keeps between requests.
package struct ServerDefinition: Hashable, Sendable {
  /// Something that the server remembers: one value, or one value for each key.
  package struct State: Hashable, Sendable {
    package var name: String
    /// The names whose values together form the key of an entry. Empty if the state contains only one value, without a
    /// key.
    package var scope: [ServerName]
    /// The value for each key that has no entry yet.
    package var initial: JSON?
    /// The entries at the start, by key. For a key with several names, objects are nested: one level for each name.
    package var entries: JSON.Object
    /// The time after which an entry expires; nil if entries never expire.
    package var lifetime: LogicalTime?

    package init(
      name: String, scope: [ServerName] = [], initial: JSON? = nil, entries: JSON.Object = [:],
      lifetime: LogicalTime? = nil
    ) {
      self.name = name
      self.scope = scope
      self.initial = initial
      self.entries = entries
      self.lifetime = lifetime
    }
  }

  /// A name and a template. In a condition, the value of the name must match the template. In all other places, the
  /// template produces a value for the name.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var template: Template

    package init(_ name: String, _ template: Template) {
      self.name = name
      self.template = template
    }
  }

  /// A change of one or more states, such as the removal of their values.
  package enum Effect: Hashable, Sendable {
    case add([Entry])
    case append([Entry])
    case include([Entry])
    case exclude([Entry])
    case keep([Entry])
    case expire([String])
    case forget([String])
  }

  /// A change of the server's states, and the conditions under which the server makes it.
  package struct Change: Hashable, Sendable {
    /// The list for whose elements the change is repeated, and the name of the current element.
    package struct Loop: Hashable, Sendable {
      package var list: Template
      package var variable: String

      package init(list: Template, variable: String) {
        self.list = list
        self.variable = variable
      }
    }

    package var loop: Loop?
    /// The conditions of the change. The change is made only if all conditions match.
    package var conditions: [Entry]
    /// The names that the change defines, in the order of their definitions.
    package var definitions: [Entry]
    /// The changes of states, in the order in which the server makes them.
    package var effects: [Effect]
    package var further: [Change]

    package init(
      loop: Loop? = nil, conditions: [Entry] = [], definitions: [Entry] = [], effects: [Effect] = [],
      further: [Change] = []
    ) {
      self.loop = loop
      self.conditions = conditions
      self.definitions = definitions
      self.effects = effects
      self.further = further
    }
  }

  /// The response of a rule: the name of a response of the exchange, and the rule's changes of that response.
  package struct Answer: Hashable, Sendable {
    package var response: String
    package var edits: [Step.Edit]
    package var headers: [String: Template?]
    package var status: Int?

    package init(response: String, edits: [Step.Edit] = [], headers: [String: Template?] = [:], status: Int? = nil) {
      self.response = response
      self.edits = edits
      self.headers = headers
      self.status = status
    }
  }

  /// The defects and legal variants on which the existence of one rule or alternative depends.
  package struct Switch: Hashable, Sendable {
    /// If one of these defects and variants is on, the rule or alternative does not exist.
    package var unless: [DefectID]
    /// If not empty, the rule or alternative exists only if at least one of these defects and variants is on.
    package var only: [DefectID]

    package init(unless: [DefectID] = [], only: [DefectID] = []) {
      self.unless = unless
      self.only = only
    }

    package func isClosed(with switches: Set<DefectID>) -> Bool {
      switches.isDisjoint(with: unless) && (only.isEmpty || !switches.isDisjoint(with: only))
    }
  }

  /// The change that the server makes, and the answer that it gives, if a request matches. If the rule has no answer,
  /// the server then tries the next rule.
  package struct Rule: Hashable, Sendable {
    /// The names of the exchanges that the rule is for; empty for all exchanges.
    package var exchanges: [String]
    /// The dialects in which the rule exists; empty for all dialects.
    package var dialects: [Dialect]
    package var request: Template?
    package var change: Change
    package var answer: Answer?
    /// Values for the holes of the response.
    package var holes: [Entry]
    package var `switch`: Switch

    package init(
      exchanges: [String] = [], dialects: [Dialect] = [], request: Template? = nil, change: Change = Change(),
      answer: Answer? = nil, holes: [Entry] = [], switch: Switch = Switch()
    ) {
      self.switch = `switch`
      self.exchanges = exchanges
      self.dialects = dialects
      self.request = request
      self.change = change
      self.answer = answer
      self.holes = holes
    }
  }

  /// A command for operators. The server performs the first alternative whose conditions match.
  package struct Operation: Hashable, Sendable {
    /// The outcome of a command: a result or an error.
    package enum Outcome: Hashable, Sendable {
      case returns(Template)
      case fails(String)
    }

    /// A change that a command may make, and the outcome after the change.
    package struct Alternative: Hashable, Sendable {
      package var change: Change
      package var outcome: Outcome
      package var `switch`: Switch

      package init(change: Change, outcome: Outcome, switch: Switch = Switch()) {
        self.change = change
        self.outcome = outcome
        self.switch = `switch`
      }
    }

    package var command: String
    package var alternatives: [Alternative]

    package init(command: String, alternatives: [Alternative]) {
      self.command = command
      self.alternatives = alternatives
    }
  }

  /// The values that the server provides to cases, by their names in `protocol.yaml`.
  package var values: Bindings
  package var states: [State]
  package var rules: [Rule]
  package var operations: [Operation]
  /// Whether the mock answers an almost correct request as if it were correct.
  package var isLenient: Bool

  package init(
    values: Bindings = [:], states: [State] = [], rules: [Rule] = [], operations: [Operation] = [],
    isLenient: Bool = false
  ) {
    self.isLenient = isLenient
    self.values = values
    self.states = states
    self.rules = rules
    self.operations = operations
  }
}

extension ServerDefinition {
  /// The defects and variants that the server has switches for.
  package var switches: Set<DefectID> {
    let all = rules.map(\.switch) + operations.flatMap(\.alternatives).map(\.switch)
    return Set(all.flatMap { $0.unless + $0.only })
  }
}
