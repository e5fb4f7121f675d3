import JSONKit
import Templates

/// An assertion about the observations of a case. If it does not hold, the subject violates the requirement.
package struct Claim: Hashable, Sendable {
  /// All assertions that a case can use.
  package indirect enum Assertion: Hashable, Sendable {
    /// The number of observations matches the template.
    case count(Selector, is: Template)
    /// The first, the last or each observation matches the template.
    case matches(Selector, which: Which, is: Template)
    /// The selector selects no observation.
    case never(Selector)
    /// The first observations of these selectors occur in the order of the list.
    case order([Selector])
    /// The logical milliseconds between the first observations of the two selectors match the template.
    case gap(from: Selector, to: Selector, is: Template)
    /// The logical milliseconds between successive observations match the templates, one template for each pair.
    case gaps(Selector, are: [Template])
    /// All of these values, at least two, exist and are equal.
    case equal([Reference])
    /// The values at a path, in the order of the observations, have this relation.
    case series(Selector, at: JSONPath, is: Series)
    /// Each observation contains the value of the last answer that was complete before it.
    case latest(Selector, at: JSONPath, from: Selector, fromPath: JSONPath)
    /// The largest number of requests that were in progress at the same time matches the template.
    case atOnce(Selector, is: Template)
    /// Each request matches its golden exchange.
    case golden(Selector)
    /// At least one of these assertions holds.
    case anyOf([Assertion])
    /// The outcomes of labelled steps match their templates.
    case returns([Outcome])
    /// The number of calls of a callback matches `times`, and the value of each call matches `with`.
    case calledBack(Selector, times: Template, with: Template?)
    /// The subject's process did not end by itself. The assertion is judged even if such an end stopped the case.
    case survives
    /// A named check of the kit or of the protocol's pack has no findings.
    case check(name: String, with: JSON)
  }

  /// The selected observations that are compared with a template.
  package enum Which: String, CaseIterable, Sendable { case first, last, each }

  /// The relation of each value of a series to the earlier values.
  package enum Series: String, CaseIterable, Sendable {
    case same, different, ascending
    case notDescending = "not-descending"
  }

  /// The template for the outcome of a labelled step.
  package struct Outcome: Hashable, Sendable {
    package var label: String
    package var template: Template

    package init(label: String, template: Template) {
      self.label = label
      self.template = template
    }
  }

  /// Refers to a value in the transcript.
  package struct Reference: Hashable, Sendable {
    /// The source of the value: the first observation of a selector, or the outcome of a labelled step.
    package enum Origin: Hashable, Sendable {
      case observed(Selector)
      case returned(String)
    }

    package var origin: Origin
    package var path: JSONPath

    package init(origin: Origin, path: JSONPath = .root) {
      self.origin = origin
      self.path = path
    }
  }

  package var requirement: RequirementID
  /// The dialects in which the claim is judged; nil for all dialects of the case.
  package var dialects: [Dialect]?
  package var assertion: Assertion
  /// The line of the claim in the file of the case.
  package var line: Int
  /// The index of the claim's entry in the file, from 0. If an entry names several requirements, it results in several
  /// claims with the same index.
  package var index: Int

  package init(
    requirement: RequirementID, dialects: [Dialect]? = nil, assertion: Assertion, line: Int = 0, index: Int = 0
  ) {
    self.requirement = requirement
    self.dialects = dialects
    self.assertion = assertion
    self.line = line
    self.index = index
  }
}

extension Claim.Assertion {
  /// The selectors of an assertion that judges each request without other observations; nil for any other assertion.
  package var requestSelectors: [Selector]? {
    let selectors: [Selector]
    switch self {
    case .matches(let selector, _, _), .never(let selector), .golden(let selector): selectors = [selector]
    case .anyOf(let parts):
      let nested = parts.map(\.requestSelectors)
      if nested.contains(nil) { return nil }
      selectors = nested.flatMap { $0 ?? [] }
    default: return nil
    }
    return selectors.allSatisfy { $0.subject.word == "request" && $0.after == nil && $0.before == nil }
      ? selectors : nil
  }

  /// The words for the assertions in a case file.
  package static let words = [
    "count", "never", "matches", "order", "gap", "gaps", "equal", "returns", "series", "latest", "at-once", "golden",
    "any-of", "called-back", "survives", "check",
  ]

  /// The word for the assertion in a case.
  package var word: String {
    switch self {
    case .count: "count"
    case .matches: "matches"
    case .never: "never"
    case .order: "order"
    case .gap: "gap"
    case .gaps: "gaps"
    case .equal: "equal"
    case .series: "series"
    case .latest: "latest"
    case .atOnce: "at-once"
    case .golden: "golden"
    case .anyOf: "any-of"
    case .returns: "returns"
    case .calledBack: "called-back"
    case .survives: "survives"
    case .check: "check"
    }
  }
}
