import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// Finds the forms in which a scenario tries a negative requirement. It looks at the requests whose outcomes the claims
/// read, and at the claims themselves.
struct NegativeTrial {
  /// A request or a call of the scenario, with the values that it gives to members and holes.
  private struct Act {
    var index: Int
    var subject: String
    var label: String?
    var isShared: Bool
    var values: [(name: String, text: String)]
    var send: Step.Send?

    /// Whether the request or call makes something that expires: it gives a value to a member such as `expiresAt`.
    var expires: Bool {
      let body = send?.body?.source.texts() ?? []
      return (values + body).contains { $0.name.lowercased().contains("expir") }
    }
  }

  /// If a claim searches for a text that a command gave to the subject, the text counts as a secret from this length
  /// on.
  private static let shortestSecret = 5

  private let scenario: ScenarioSite
  private let definition: ProtocolDefinition
  private let exchanges: [String: Exchange]
  /// The names of the values and commands that `coverage.yaml` lists for a form.
  private let named: [NamedForm: Set<String>]
  private let acts: [Act]
  private let timeline: ScenarioTimeline

  init(
    _ scenario: ScenarioSite, _ definition: ProtocolDefinition, _ exchanges: [String: Exchange],
    _ named: [NamedForm: Set<String>]
  ) {
    self.scenario = scenario
    self.definition = definition
    self.exchanges = exchanges
    self.named = named
    timeline = ScenarioTimeline(scenario, moments: definition.moments)
    acts = scenario.steps.enumerated().compactMap { index, site in
      func act(_ subject: String, _ values: JSON, _ send: Step.Send? = nil) -> Act {
        Act(
          index: index, subject: subject, label: site.step.label?.source.string, isShared: site.isShared,
          values: values.texts(), send: send)
      }
      return switch site.step.action {
      case .call(let call): act(call.command, call.params.source)
      case .operate(let operate): act(operate.command, operate.params.source)
      case .send(let send): act(send.exchange, send.with.source, send)
      default: nil
      }
    }
  }

  /// The forms that the scenario tries for these claims.
  func forms(of claims: [Claim.Assertion]) -> Set<NegativeForm> {
    let read = Set(claims.flatMap { labels(in: $0) }.compactMap(timeline.index(of:)))
    let asked = acts.filter { read.isEmpty ? !$0.isShared : read.contains($0.index) }
    var forms = Set(asked.flatMap { act in act.send.map { self.forms(of: $0, act) } ?? [] })
    if claims.contains(where: echoes) { forms.insert(.echo) }
    if scenario.steps.enumerated().contains(where: { $1.step.action.word == "search" && read.contains($0) }) {
      forms.insert(.storage)
    }
    let first = acts.first { !$0.isShared }?.index ?? 0
    if asked.contains(where: { $0.index > first || $0.isShared }) { forms.insert(.user) }
    if claims.contains(where: comparesID) { forms.insert(.id) }
    if hasSecondUser { forms.insert(.second) }
    return forms
  }

  private func labels(in claim: Claim.Assertion) -> [String] {
    claim.outcomes(at: .root).map(\.value) + claim.selectors(at: .root).flatMap { $0.labels.map(\.value) }
  }

  private func isNamed(_ form: NamedForm, _ name: String) -> Bool { named[form, default: []].contains(name) }

  // MARK: Requests

  private func forms(of send: Step.Send, _ act: Act) -> [NegativeForm] {
    guard let exchange = exchanges[send.exchange] else { return [] }
    var forms: [NegativeForm] = []
    for credential in exchange.credentials(of: send) {
      if let form = credential.form { forms.append(form) }
      guard let hole = credential.whole else { continue }
      if isOfAnother(hole, act) { forms.append(.other) }
    }
    let path = send.path?.source.string ?? ""
    if path.split(separator: "?").dropFirst().contains(where: { String($0).holes.contains(where: isSecret) }) {
      forms.append(.query)
    }
    return forms + expiryForms(of: act) + idForms(of: send, exchange, path: path)
  }

  private func idForms(of send: Step.Send, _ exchange: Exchange, path: String) -> [NegativeForm] {
    let inPath = send.with.source.texts().filter { exchange.pathHoles.contains($0.name) }
    var forms: [NegativeForm] = []
    let ids = send.with.source.texts().filter { !Credential.isNamed(by: $0.name) }.map(\.text) + [path]
    if ids.contains(where: { $0.contains(/\.\$(capitals|small)\}/) }) { forms.append(.letters) }
    if inPath.contains(where: { $0.text.contains(".$escaped}") }) || path.contains(".$escaped.$escaped}") {
      forms.append(.twice)
    }
    if path.split(separator: "?").first?.hasSuffix("/") == true { forms.append(.slash) }
    return forms
  }

  /// Whether a hole contains a secret: a value that the protocol lists as a secret, or a value or a part of an outcome
  /// with the name of a credential.
  private func isSecret(_ hole: String) -> Bool {
    let root = hole.root
    return definition.secrets.contains(root) || Credential.isNamed(by: root) && definition.value(root) != nil
      || acts.contains { $0.label == root } && Credential.isNamed(by: hole)
  }

  /// Whether a credential belongs to a different user or app than the one that the request is about. This is so in
  /// three cases: `coverage.yaml` lists the value, the credential comes from a step about another user, or the request
  /// has a second member from another step of the same kind.
  private func isOfAnother(_ hole: String, _ act: Act) -> Bool {
    if definition.value(hole.root) != nil { return isNamed(.other, hole.root) }
    guard let origin = acts.first(where: { $0.label == hole.root }) else { return false }
    return act.values.contains { name, text in
      if text.holes.contains(hole) { return false }
      if origin.values.contains(where: { $0.name == name && $0.text != text && name.isOfID }) { return true }
      return text.holes.contains { other in
        acts.contains { $0.label == other.root && $0.label != origin.label && $0.subject == origin.subject }
      }
    }
  }

  /// The forms of a request about something that has expired: `expired`, and also `before` if the scenario sends the
  /// same request before the expiry, too.
  private func expiryForms(of act: Act) -> [NegativeForm] {
    let holes = act.values.flatMap(\.text.holes)
    if holes.contains(where: { definition.value($0.root) != nil && isNamed(.expired, $0.root) }) { return [.expired] }
    let ends = scenario.steps.indices.filter { $0 < act.index }.filter { index in
      if case .advance = scenario.steps[index].step.action { return true }
      guard let end = acts.first(where: { $0.index == index }) else { return false }
      return isNamed(.expired, end.subject) && end.values.contains { $0.text.holes.contains(where: holes.contains) }
    }
    guard let end = ends.last ?? creationWithExpiry(act) else { return [] }
    let wasValid = acts.contains {
      $0.index < end && $0.subject == act.subject && $0.values.map(\.text) == act.values.map(\.text)
    }
    return wasValid ? [.expired, .before] : [.expired]
  }

  /// The index of the step that made the thing that the request names by a label or by its id; nil if this thing does
  /// not expire.
  private func creationWithExpiry(_ act: Act) -> Int? {
    acts.first { made in
      made.index < act.index && made.expires
        && act.values.contains { asked in
          asked.text.holes.contains { $0.root == made.label } || made.values.contains { $0.text == asked.text }
        }
    }?.index
  }

  // MARK: Claims

  /// Whether a claim searches for a valid secret: a secret that the kit gave to the subject, a secret from the outcome
  /// of a step, or any value of a member with the name of a credential.
  private func echoes(_ claim: Claim.Assertion) -> Bool {
    let templates = claim.templates(at: .root).map(\.value.source)
    if templates.contains(where: { $0.names.contains(where: Credential.isNamed) }) { return true }
    var texts = templates.flatMap { $0.texts() }.map(\.text)
    if case .check(_, let with) = claim { texts += with.texts().map(\.text) }
    let given = acts.filter { $0.send == nil }.flatMap(\.values).map(\.text).filter {
      $0.count >= Self.shortestSecret && $0.holes.isEmpty
    }
    return texts.contains { text in
      text.holes.contains(where: isSecret) || given.contains { text.contains($0) }
    }
  }

  private func comparesID(_ claim: Claim.Assertion) -> Bool {
    if case .equal = claim { return true }
    return claim.templates(at: .root).flatMap { $0.value.source.texts() }.contains { _, text in
      text.holes.contains { $0.isOfID && $0.contains(".") }
    }
  }

  /// Whether two requests or calls of one kind name different users or devices, or a command is about a second user or
  /// device.
  private var hasSecondUser: Bool {
    if acts.contains(where: { isNamed(.second, $0.subject) }) { return true }
    return Dictionary(grouping: acts, by: \.subject).values.contains { acts in
      Dictionary(grouping: acts.flatMap(\.values).filter(\.name.isOfID), by: \.name).values.contains {
        Set($0.map(\.text)).count > 1
      }
    }
  }
}

extension ProtocolDefinition {
  fileprivate func value(_ name: String) -> Value? { values.first { $0.name == name } }
}

extension String {
  /// The first part of a dotted name.
  fileprivate var root: String { String(prefix { $0 != "." }) }

  /// Whether a member of this name identifies a user, a device or a link.
  fileprivate var isOfID: Bool {
    let name = split(separator: ".").last ?? ""
    return name == "id" || name.hasSuffix("Id") || name.hasSuffix("_id") || name == "contactFieldValue"
  }
}
