import ConformanceModel
import JSONKit
import Templates

/// The things that cases of a protocol refer to by name: times, states, assumptions and services.
package struct CaseVocabulary: Sendable {
  /// Times by name.
  package var patience: [String: LogicalTime] = [:]
  /// States by name, as `steps.yaml` contains them.
  package var states: [String: JSONField] = [:]
  /// Assumptions by name, as `steps.yaml` contains them.
  package var assumptions: [String: JSON] = [:]
  package var services: [ServiceName] = []
  /// Whether all names are known. If `protocol.yaml` or `steps.yaml` cannot be read, an unknown name may be one of theirs.
  var isWhole = true

  package init() {}

  package init(_ definition: ProtocolDefinition, states: [JSONField] = [], assumptions: [String: JSON] = [:]) {
    self.assumptions = assumptions
    patience = Dictionary(definition.patience.map { ($0.name, $0.time) }) { first, _ in first }
    services = definition.services.map(\.name)
    self.states = Dictionary(states.map { ($0.value["state"]?.string ?? "", $0) }) { first, _ in first }
  }

  /// The texts of the states that cases use, directly or through other states, in the order of their names.
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

  /// The texts of the assumptions that cases use, in the order of their names.
  func assumptions(usedBy values: [JSON]) -> [JSON] {
    let names = values.flatMap { $0["assumes"]?.array?.compactMap(\.string) ?? [] }
    return Set(names).sorted().compactMap { assumptions[$0] }
  }

  /// The named times as a diagnostic lists them.
  var namedTimes: String {
    let names = patience.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return names.isEmpty ? "" : ", or " + names.joined(separator: ", ")
  }
}

extension JSON {
  /// The names behind every `given` and `do` in the value.
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
