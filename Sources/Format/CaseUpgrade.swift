import ConformanceSpec
import JSONKit

/// Rewrites one case: first its steps and assertions, then the values of its rows. A row's value is rewritten like the
/// parts of the case in which its hole occurs.
struct CaseUpgrade: TemplateUpgrade {
  /// The kind of place in which a case has a hole for a value of a row.
  private enum Slot: Hashable {
    case template(isView: Bool)
    case edits, fault, service, time, steps, selector, assertion
  }

  let text: SourceText
  var edits: TextEdits
  private let root: SourceNode
  private let upgrade: Upgrade
  /// Whether the case refers to a service other than ``Upgrade/service``.
  private let hasServices: Bool
  private var slots: [String: Set<Slot>] = [:]

  init(_ root: SourceNode, _ upgrade: Upgrade, text: SourceText, edits: TextEdits) {
    self.root = root
    self.upgrade = upgrade
    self.text = text
    self.edits = edits
    hasServices = upgrade.mentionsOthers(root.value)
  }

  mutating func rewrite() {
    steps(root["steps"])
    for list in ["witness", "controls", "assumes", "claims"] {
      for element in root[list]?.elements ?? [] { assertion(element) }
    }
    for row in root["rows"]?.elements ?? [] {
      for value in row.members {
        for slot in slots[value.key] ?? [] { fill(slot, with: value.node) }
      }
    }
  }

  mutating func meet(hole: String, asView isView: Bool) { slots[hole, default: []].insert(.template(isView: isView)) }

  private mutating func fill(_ slot: Slot, with node: SourceNode) {
    switch slot {
    case .template(let isView): template(node, isView: isView)
    case .edits: values(node)
    case .fault: fault(node)
    case .service: service(node)
    case .time: time(node)
    case .steps: steps(node)
    case .selector: selector(node)
    case .assertion: assertion(node)
    }
  }

  /// Returns whether the value is a hole that a row fills. Records the place of such a hole.
  private mutating func isRow(_ node: SourceNode, for slot: Slot) -> Bool {
    guard let hole = node.value.wholeHole else { return false }
    slots[hole, default: []].insert(slot)
    return true
  }

  // MARK: Steps

  private mutating func steps(_ node: SourceNode?) {
    guard let node, !isRow(node, for: .steps) else { return }
    // A row may contain one step or a list of them.
    for step in node.value.array == nil ? [node] : node.elements { self.step(step) }
  }

  private mutating func step(_ step: SourceNode) {
    guard !isRow(step, for: .steps) else { return }
    template(step["with"])
    values(step["set"])
    for part in ["headers", "path", "body", "from"] { template(step[part]) }
    if step["call"] != nil { need(of: step) }
    if let cut = step["cut"] { self.cut(cut) }
    if let wait = step["await"] { selector(wait) }
    if let span = step["settle"] { time(span) }
    steps(step["together"])
    steps(step["repeat"]?["steps"])
  }

  /// Rewrites an object that maps paths to templates.
  private mutating func values(_ node: SourceNode?) {
    guard let node, !isRow(node, for: .edits) else { return }
    for member in node.members { template(member.node) }
  }

  /// Adds `need: either` to a labelled call of an SDK, since the first version allowed such a call to fail.
  private mutating func need(of call: SourceNode) {
    guard let label = call["as"], call["need"] == nil, upgrade.isDriven(root["role"]?.value.string) else { return }
    edits.insert("need", "either", after: label, of: call)
  }

  private mutating func cut(_ node: SourceNode) {
    guard node["how"]?.value == "heal" else {
      edits.rename(node, to: "fault")
      return fault(node)
    }
    let exchange = node["exchange"]?.value.string.map(quoted)
    var scope = exchange ?? "all"
    if let service = node["upstream"]?.value.string {
      let parts = [exchange.map { "exchange: \($0)" }, "at: \(quoted(upgrade.name(of: service)))"].compactMap(\.self)
      scope = "{ \(parts.joined(separator: ", ")) }"
    }
    edits.replace(node.keyRange.lowerBound..<node.end, with: "heal: \(scope)")
  }

  /// The text in YAML: in quotes if it contains a hole.
  private func quoted(_ text: String) -> String { text.contains("$") ? "\"\(text)\"" : text }

  private mutating func fault(_ node: SourceNode) {
    guard !isRow(node, for: .fault) else { return }
    upstream(of: node, otherwiseAfter: node["exchange"] == nil ? "how" : nil)
    template(node["where"], isView: true)
  }

  private mutating func time(_ node: SourceNode) {
    guard !isRow(node, for: .time), let name = node.value.string.flatMap(upgrade.name(ofTime:)) else { return }
    edits.replaceValue(node, with: name)
  }

  // MARK: Selectors

  private mutating func selector(_ node: SourceNode?) {
    guard let node, !isRow(node, for: .selector) else { return }
    upstream(of: node, otherwiseAfter: node["request"]?.value == "any" ? "request" : nil)
    template(node["where"], isView: node["request"] != nil)
    if let span = node["within"] { time(span) }
  }

  /// Rewrites the service of a selector or a fault. A selector or fault without a service is about the first service.
  /// If the case also refers to other services, the name of the first service is inserted after the member `key`.
  private mutating func upstream(of node: SourceNode, otherwiseAfter key: String?) {
    if let upstream = node["upstream"] {
      edits.rename(upstream, to: "at")
      service(upstream)
    } else if hasServices, let neighbour = key.flatMap({ node[$0] }) {
      edits.insert("at", upgrade.service, after: neighbour, of: node)
    }
  }

  private mutating func service(_ node: SourceNode) {
    guard !isRow(node, for: .service), node.value == "main" else { return }
    edits.replaceValue(node, with: upgrade.service)
  }

  // MARK: Claims

  private mutating func assertion(_ node: SourceNode) {
    guard !isRow(node, for: .assertion) else { return }
    for word in ["count", "matches", "never"] { observation(node[word]) }
    for selector in node["order"]?.elements ?? [] { self.selector(selector) }
    for end in ["from", "to"] { selector(node["gap"]?[end]) }
    template(node["gap"]?["is"])
    for reference in node["equal"]?.elements ?? [] { self.reference(reference) }
    for outcome in node["returns"]?.members ?? [] { template(outcome.node) }
    if let unique = node["unique"] { self.unique(unique) }
    if let callback = node["calledBack"] { calledBack(callback) }
    if let upstream = node["check"]?["with"]?["upstream"] {
      edits.rename(upstream, to: "at")
      service(upstream)
    }
  }

  private mutating func observation(_ node: SourceNode?) {
    selector(node)
    template(node?["is"], isView: node?["request"] != nil)
  }

  private mutating func reference(_ node: SourceNode) {
    selector(node)
    if let path = node["at"] { edits.rename(path, to: "path") }
  }

  private mutating func unique(_ node: SourceNode) {
    edits.rename(node, to: "series")
    reference(node)
    if let path = node["at"] { edits.insert("is", "different", after: path, of: node) }
  }

  private mutating func calledBack(_ node: SourceNode) {
    edits.rename(node, to: "called-back")
    // In the first version, a missing count meant one.
    if node["times"] == nil, let callback = node["callback"] { edits.insert("times", "1", after: callback, of: node) }
    template(node["times"])
    template(node["with"])
  }
}
