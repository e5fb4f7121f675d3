import ConformanceSpec

/// Rewrites a golden exchange or model: its templates and, in an exchange, the service.
struct FixtureUpgrade: TemplateUpgrade {
  let text: SourceText
  var edits: TextEdits
  private let root: SourceNode
  private let upgrade: Upgrade

  init(_ root: SourceNode, _ upgrade: Upgrade, text: SourceText, edits: TextEdits) {
    self.root = root
    self.upgrade = upgrade
    self.text = text
    self.edits = edits
  }

  mutating func rewrite() {
    template(root["template"])
    guard root["exchange"] != nil else { return }
    if let neighbour = root["text"] ?? root["exchange"] {
      edits.insert("at", upgrade.service, after: neighbour, of: root)
    }
    message(root["request"])
    for response in root["responses"]?.members ?? [] {
      for dialect in response.node.members { message(dialect.node) }
    }
  }

  private mutating func message(_ node: SourceNode?) {
    for part in ["path", "query", "headers", "body"] { template(node?[part]) }
  }

  /// Does nothing, since rows do not fill the holes of fixtures.
  mutating func meet(hole: String, asView isView: Bool) {}
}
