import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about observations: templates name only members that an observation can have.
  static let observationRules = [
    LintRule("observation-member", "A member that a claim or a step looks for exists in the request or response.") {
      subject in
      subject.scenarios.flatMap { scenario in
        scenario.observationTemplates.flatMap { selector, template in
          template.value.node.strangeMembers(of: selector.subject, at: template.path).map { strange in
            scenario.finding(
              at: strange.path, expected: strange.expected, found: "'\(strange.found)'", hint: strange.hint)
          }
        }
      }
    }
  ]
}

/// A member that a template names, although no observation has it. A claim that the member never occurs would always
/// pass.
private struct StrangeMember {
  var path: JSONPath
  var expected: String
  var found: String
  var hint: String?
}

extension ScenarioSite {
  /// Every template that is compared with a whole request or answer, with its selector.
  fileprivate var observationTemplates: [(Selector, Sited<Template>)] {
    let filters = selectors.compactMap { site in
      site.value.items == nil
        ? site.value.filter.map { (site.value, Sited($0, at: site.path.appending(key: "where"))) } : nil
    }
    let matches = assertions.compactMap { site -> (Selector, Sited<Template>)? in
      guard case .matches(let selector, _, let template) = site.assertion, selector.items == nil else { return nil }
      return (selector, Sited(template, at: site.path.appending(key: "is")))
    }
    return filters + matches
  }
}

extension Template.Node {
  /// The members of requests: the members of `RequestRecord.view`, and the members that the index of observations adds.
  private static let ofRequest = ["method", "target", "path", "query", "headers", "body", "text", "answered"]

  fileprivate func strangeMembers(of subject: Selector.Subject, at path: JSONPath) -> [StrangeMember] {
    switch subject {
    case .request: strangeMembers(known: Self.ofRequest, at: path)
    // An answer may have further members, which a binding file names.
    case .response: strangeMembers(known: nil, at: path)
    case .callback, .reply, .step, .closed: []
    }
  }

  private func strangeMembers(known: [String]?, at path: JSONPath) -> [StrangeMember] {
    switch self {
    case .object(let members):
      members.flatMap { member -> [StrangeMember] in
        let place = path.appending(key: member.key)
        if member.key == "headers" { return member.value.strangeFields(at: place) }
        guard let known, !known.contains(member.key) else { return [] }
        return [
          StrangeMember(
            path: place, expected: "a member of a request: \(known.joined(separator: ", "))", found: member.key,
            hint: Nearest.suggestion(for: member.key, in: known))
        ]
      }
    case .constraints(let constraints):
      constraints.flatMap { constraint -> [StrangeMember] in
        switch constraint {
        case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap { $0.strangeMembers(known: known, at: path) }
        case .not(let node), .only(let node): node.strangeMembers(known: known, at: path)
        default: []
        }
      }
    case .literal, .hole, .text, .array: []
    }
  }

  /// The header fields whose names the template writes with capital letters. Observations contain these names only in
  /// lower case.
  private func strangeFields(at path: JSONPath) -> [StrangeMember] {
    guard case .object(let members) = self else { return [] }
    return members.filter { $0.key != $0.key.lowercased() }.map {
      StrangeMember(
        path: path.appending(key: $0.key), expected: "the name of a header field in lower case", found: $0.key,
        hint: "did you mean \"\($0.key.lowercased())\"?")
    }
  }
}
