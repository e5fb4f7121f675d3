import JSONKit
import Templates

/// A server as data: rules over golden exchanges, and the states that it keeps from one request to the next.
package struct ServerDefinition: Hashable, Sendable {
  /// Something that the server knows: one value, or one for each key.
  package struct State: Hashable, Sendable {
    package var name: String
    /// The names whose values make the key.
    package var scope: [ServerName]
    /// The value of a key for which none was kept.
    package var initial: JSON?
    /// The values from the start, by key. If the key has several names, the objects are nested, one level a name.
    package var entries: JSON.Object
    /// The time after which a kept value ends.
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

  /// A name with a template, which either gives the name its value or must match its value.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var template: Template

    package init(_ name: String, _ template: Template) {
      self.name = name
      self.template = template
    }
  }

  /// One change of states.
  package enum Effect: Hashable, Sendable {
    case add([Entry])
    case append([Entry])
    case include([Entry])
    case exclude([Entry])
    case keep([Entry])
    case expire([String])
    case forget([String])
  }

  /// A change of the server's states, with its conditions.
  package struct Change: Hashable, Sendable {
    /// Once for every element of a list.
    package struct Loop: Hashable, Sendable {
      package var list: Template
      package var variable: String

      package init(list: Template, variable: String) {
        self.list = list
        self.variable = variable
      }
    }

    package var loop: Loop?
    /// The change is made only if all of these match.
    package var conditions: [Entry]
    /// New names, in their order.
    package var definitions: [Entry]
    /// In the order in which they happen.
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

  /// A named response and what changes it.
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

  /// The defects and legal variants that remove a part of the server, or add it.
  package struct Switch: Hashable, Sendable {
    /// Each of these removes the part.
    package var unless: [DefectID]
    /// The part exists only with one of these. If the list is empty, it exists without any.
    package var only: [DefectID]

    package init(unless: [DefectID] = [], only: [DefectID] = []) {
      self.unless = unless
      self.only = only
    }

    package func isClosed(with switches: Set<DefectID>) -> Bool {
      switches.isDisjoint(with: unless) && (only.isEmpty || !switches.isDisjoint(with: only))
    }
  }

  /// The change and the answer for a request that fits. After a rule without an answer, the next rule is tried.
  package struct Rule: Hashable, Sendable {
    /// Empty for all.
    package var exchanges: [String]
    /// Empty for all.
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

  /// A command for operators. It carries out the first alternative whose conditions hold.
  package struct Operation: Hashable, Sendable {
    /// The end of a command: a result or an error.
    package enum Outcome: Hashable, Sendable {
      case returns(Template)
      case fails(String)
    }

    /// A change that a command makes, and the outcome that the command has after the change.
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

  /// The values that it provides to cases, by the names of the protocol's values.
  package var values: Bindings
  package var states: [State]
  package var rules: [Rule]
  package var operations: [Operation]
  /// Whether the mock treats an almost correct request as the exchange that it nearly is.
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
  /// The defects and variants that can be switched on.
  package var switches: Set<DefectID> {
    let all = rules.map(\.switch) + operations.flatMap(\.alternatives).map(\.switch)
    return Set(all.flatMap { $0.unless + $0.only })
  }
}
