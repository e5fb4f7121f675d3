import JSONKit
import Templates

/// A server as data: rules over golden exchanges, and the states that the server keeps between requests.
package struct ServerDefinition: Hashable, Sendable {
  /// Something that the server remembers: one value, or one value for each key.
  package struct State: Hashable, Sendable {
    package var name: String
    /// The names whose values form the key of an entry; empty for one value without a key.
    package var scope: [ServerName]
    /// The value for a key that has no entry.
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

  /// A name with a template. The template either defines the name's value or must match that value.
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
    /// A list. The change is made once for each element of the list.
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
    /// The new names, in the order in which they are defined.
    package var definitions: [Entry]
    /// The changes of states, in the order in which they are made.
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

  /// A named response, and the changes of that response.
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

  /// The defects and legal variants that remove or add a part of the server.
  package struct Switch: Hashable, Sendable {
    /// The defects and variants that remove the part. One of them is enough.
    package var unless: [DefectID]
    /// The part exists only if one of these defects and variants is on. The list is empty if the part needs no defect
    /// or variant.
    package var only: [DefectID]

    package init(unless: [DefectID] = [], only: [DefectID] = []) {
      self.unless = unless
      self.only = only
    }

    package func isClosed(with switches: Set<DefectID>) -> Bool {
      switches.isDisjoint(with: unless) && (only.isEmpty || !switches.isDisjoint(with: only))
    }
  }

  /// The change and the answer for requests that match. After a rule without an answer, the next rule is tried.
  package struct Rule: Hashable, Sendable {
    /// The names of the exchanges; empty for all exchanges.
    package var exchanges: [String]
    /// The dialects; empty for all dialects.
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

  /// A command for operators. It performs the first alternative whose conditions hold.
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

  /// The values that the server provides to cases, by the names in the protocol's definition.
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
