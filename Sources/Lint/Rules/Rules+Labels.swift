import ConformanceModel
import ConformanceSpec
import Coverage
import Templates

extension Linter {
  /// Rules about labels, handles and holes: each name has a value before it is used.
  static let labelRules = [
    LintRule("duplicate-label", "Each label belongs to one step of a case.") { subject in
      subject.labels.flatMap(\.duplicates)
    },
    LintRule("unknown-label", "A label belongs to a step. If its outcome is used, the step is a call or a send.") {
      subject in
      subject.labels.flatMap(\.unknownLabels)
    },
    LintRule("unbound-hole", "A hole that is filled when a step runs has a value by then.") { subject in
      subject.labels.flatMap(\.unboundHoles)
    },
    LintRule("filled-template", "A template that is filled when a step runs has no checks and no holes without a name.")
    {
      subject in
      subject.eachStep { scenario, site in
        site.renderedTemplates.filter(\.value.isMatchOnly).map {
          scenario.finding(
            at: $0.path, expected: "values and named holes, from which a value can be made",
            found: "a check or a hole without a name, which can only be compared with one")
        }
      }
    },
    LintRule("unknown-handle", "A callback that a case refers to has been registered.") { subject in
      subject.scenarios.flatMap { scenario in
        let handles = scenario.handles
        return scenario.selectors.compactMap(\.handle).compactMap { handle in
          handles.contains(handle.value)
            ? nil
            : scenario.unknown(
              handle.value, at: handle.path, "a handle that a call registers", known: handles.words)
        }
      }
    },
    LintRule("row-names", "The names of a row are used, and have no other meaning.") { subject in
      let definition = subject.definition
      let common = HoleName.common.union(definition.services.map(\.name.rawValue)).union(["declared"])
      let values = Set(definition.values.map(\.name))
      return subject.sources.cases.flatMap { located in
        let isLent = !definition.ports(of: located.value.role).downstream.isEmpty
        return rowNames(located, reserved: isLent ? common.union(values) : common)
      }
    },
  ]

  private static func rowNames(_ located: Located<Case>, reserved: Set<String>) -> [LintFinding] {
    guard let object = located.document.value[located.path]?.object else { return [] }
    let text = CaseText.filledParts.compactMap { object[$0]?.compactText }.joined()
    let loops = Set(located.value.scenarios.flatMap { $0.steps.flatMap(\.loopVariables) })
    return (object["rows"]?.array ?? []).enumerated().flatMap { index, row in
      (row.object?.keys ?? []).filter { $0 != "row" }.compactMap { name in
        let path = located.path.appending(key: "rows").appending(index: index).appending(key: name)
        func finding(_ expected: String, _ found: String) -> LintFinding {
          LintFinding(in: located.document, at: path, expected: expected, found: found)
        }
        if reserved.contains(name) || loops.contains(name) {
          return finding("a name without another meaning in the case", "'\(name)'")
        }
        let isUsed = ["}", ":", "."].contains { text.contains("${\(name)\($0)") }
        return isUsed ? nil : finding("a step or claim with ${\(name)}", "none")
      }
    }
  }
}

extension Step {
  fileprivate var loopVariables: [String] {
    switch action {
    case .repeat(_, let variable, let steps): [variable] + steps.flatMap(\.loopVariables)
    default: inner.flatMap(\.loopVariables)
    }
  }
}

extension ScenarioSite {
  /// The handles under which calls register callbacks. A call contains the handle in its parameter `handle`.
  var handles: NamePatterns {
    var names = NamePatterns()
    for site in steps {
      guard case .call(let call) = site.step.action, case .object(let members) = call.params.node,
        let handle = members.first(where: { $0.key == "handle" })
      else { continue }
      names.insert(Template(handle.value), loops: site.loops)
    }
    return names
  }
}
