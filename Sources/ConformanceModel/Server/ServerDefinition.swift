import JSONKit

/// A server as data: rules over golden exchanges, and what it knows from one request to the next.
package struct ServerDefinition: Hashable, Sendable {
  /// Something that the server knows: one value, or one for each key.
  package struct State: Hashable, Sendable {
    package var name: String
    /// The names whose values make the key.
    package var scope: [ServerName]
    /// The value where none was kept.
    package var initial: JSON?
    /// What is there from the start, by key; of several names objects in objects.
    package var entries: JSON.Object
    /// How long after it was kept a value ends.
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

  /// A template by a name: what the name gets, or what its value must match.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var template: Template

    package init(_ name: String, _ template: Template) {
      self.name = name
      self.template = template
    }
  }

  /// One thing that happens to states.
  package enum Effect: Hashable, Sendable {
    case add([Entry])
    case append([Entry])
    case include([Entry])
    case exclude([Entry])
    case keep([Entry])
    case expire([String])
    case forget([String])
  }

  /// What the server knows afterwards.
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
    /// What must match for the change to be made.
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

  /// Where something of the server is left out, or put in: what its defects and legal variants are made of.
  package struct Switch: Hashable, Sendable {
    /// With any of these it is not there.
    package var unless: [DefectID]
    /// Only with one of these it is; empty where it is there without any.
    package var only: [DefectID]

    package init(unless: [DefectID] = [], only: [DefectID] = []) {
      self.unless = unless
      self.only = only
    }

    package func isClosed(with switches: Set<DefectID>) -> Bool {
      switches.isDisjoint(with: unless) && (only.isEmpty || !switches.isDisjoint(with: only))
    }
  }

  /// What the server does with a request that fits; one without an answer goes on with the next rule.
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

  /// What a command for operators does: the first of these whose conditions hold.
  package struct Operation: Hashable, Sendable {
    /// What comes of a command.
    package enum Outcome: Hashable, Sendable {
      case returns(Template)
      case fails(String)
    }

    /// A change and what comes of the command then.
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

  /// What it lends to cases, by the names of the protocol's values.
  package var values: Bindings
  package var states: [State]
  package var rules: [Rule]
  package var operations: [Operation]
  /// Whether the mock takes a request that is almost right for the exchange that it nearly is.
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
  /// The defects and variants that it can be given.
  package var switches: Set<DefectID> {
    let all = rules.map(\.switch) + operations.flatMap(\.alternatives).map(\.switch)
    return Set(all.flatMap { $0.unless + $0.only })
  }
}
