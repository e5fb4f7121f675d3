import ConformanceSpec
import JSONKit

/// The operators of templates in the first version of the format, which recognised an operator by the first member of
/// an object.
enum FirstTemplateForm {
  static let operators: Set<String> = [
    "at-least", "at-most", "above", "below", "one-of", "like", "absent", "not", "every", "some", "length", "only",
    "fails", "succeeds",
  ]
  static let longText = "repeat"
  /// The spellings of a successful answer in the first version.
  static let answeredWell: [JSON] = [["at-most": 299], ["below": 300]]
}

/// A traversal of a file that rewrites its templates.
protocol TemplateUpgrade {
  var text: SourceText { get }
  var edits: TextEdits { get set }

  /// Called for each text in a template that consists of exactly one hole. If a row fills this hole, the row's value
  /// must be rewritten, too.
  mutating func meet(hole: String, asView isView: Bool)
}

extension TemplateUpgrade {
  /// Rewrites a template. `isView` is true if the template is compared with the view of a request.
  mutating func template(_ node: SourceNode?, isView: Bool = false) {
    guard let node else { return }
    if let hole = node.value.wholeHole { return meet(hole: hole, asView: isView) }
    for element in node.elements { template(element) }
    let members = node.members
    guard let first = members.first?.key else { return }
    if FirstTemplateForm.operators.contains(first) {
      for member in members { constraint(member, isView: isView) }
    } else if first == FirstTemplateForm.longText {
      edits.addDollar(to: members[0].node, in: text)
    } else {
      for member in members { payload(member, isView: isView) }
    }
  }

  private mutating func constraint(_ member: SourceNode.Member, isView: Bool) {
    edits.addDollar(to: member.node, in: text)
    if member.key == "one-of" {
      for choice in member.node.elements { template(choice, isView: isView) }
    } else if member.key != "like" {
      template(member.node, isView: isView && member.key == "not")
    }
  }

  private mutating func payload(_ member: SourceNode.Member, isView: Bool) {
    if member.key.hasPrefix("$"), !member.key.hasPrefix("${") { edits.addDollar(to: member.node, in: text) }
    guard isView, member.key == "answered", FirstTemplateForm.answeredWell.contains(member.node.value),
      let status = member.node.members.first?.node
    else { return template(member.node) }
    edits.rename(status, to: "$status")
    edits.replaceValue(status, with: "ok")
  }
}

extension JSON {
  /// The name of the hole, if the text consists of one hole.
  var wholeHole: String? {
    guard let text = string, text.hasPrefix("${"), text.hasSuffix("}"), !text.dropLast().contains("}") else {
      return nil
    }
    return String(text.dropFirst(2).dropLast().prefix { $0 != ":" })
  }
}
