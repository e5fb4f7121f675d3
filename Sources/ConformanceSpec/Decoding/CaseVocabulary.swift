import ConformanceModel
import JSONKit
import Templates

/// The names that cases of a protocol may refer to: times, states, assumptions and services.
package struct CaseVocabulary: Sendable {
  /// Times by name.
  package var patience: [String: LogicalTime] = [:]
  /// Maps the name of each state to its entry in `steps.yaml`.
  package var states: [String: JSONField] = [:]
  /// Maps the name of each assumption to its entry in `steps.yaml`.
  package var assumptions: [String: JSON] = [:]
  package var services: [ServiceName] = []
  /// Whether these are all names of the protocol. If `protocol.yaml` or `steps.yaml` cannot be read, it may define
  /// others.
  var isWhole = true

  package init() {}

  package init(_ definition: ProtocolDefinition, states: [JSONField] = [], assumptions: [String: JSON] = [:]) {
    self.assumptions = assumptions
    patience = Dictionary(definition.patience.map { ($0.name, $0.time) }) { first, _ in first }
    services = definition.services.map(\.name)
    self.states = Dictionary(states.map { ($0.value["state"]?.string ?? "", $0) }) { first, _ in first }
  }

  /// The entries in `steps.yaml` of the states that these cases use, directly or through other states, sorted by name.
  func states(usedBy values: [JSON]) -> [JSON] {
    var used: Set<String> = []
    var open = values
    while let value = open.popLast() {
      for name in value.stateNames where states[name] != nil && used.insert(name).inserted {
        open += [states[name]?.value].compactMap(\.self)
      }
    }
    return used.sorted().compactMap { states[$0]?.value }
  }

  /// The entries in `steps.yaml` of the assumptions that these cases use, sorted by name.
  func assumptions(usedBy values: [JSON]) -> [JSON] {
    let names = values.flatMap { $0["assumes"]?.array?.compactMap(\.string) ?? [] }
    return Set(names).sorted().compactMap { assumptions[$0] }
  }

  /// The end of a sentence in a diagnostic, which lists the names of times, the name of the shortest time first.
  var namedTimes: String {
    let names = patience.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return names.isEmpty ? "" : ", or " + names.joined(separator: ", ")
  }
}

extension JSON {
  /// The names of the states in every `given` and `do` in the value.
  fileprivate var stateNames: [String] {
    switch self {
    case .array(let elements): elements.flatMap(\.stateNames)
    case .object(let object):
      object.members.flatMap { member in
        (member.key == "do" ? [member.value.string].compactMap(\.self) : [])
          + (member.key == "given" ? JSONField(["given": member.value]).stateUses.map(\.name) : [])
          + member.value.stateNames
      }
    default: []
    }
  }
}
