import JSONKit

/// One thing that a case shows about one requirement.
package struct Claim: Hashable, Sendable {
  /// The closed vocabulary.
  package indirect enum Assertion: Hashable, Sendable {
    /// So many observations.
    case count(Selector, is: Template)
    /// The observations look like this.
    case matches(Selector, which: Which, is: Template)
    /// No such observation.
    case never(Selector)
    /// The first of each come one after the other.
    case order([Selector])
    /// The logical milliseconds between the first of each.
    case gap(from: Selector, to: Selector, is: Template)
    /// The logical milliseconds between one observation and the next, for as many as there are templates.
    case gaps(Selector, are: [Template])
    /// Two or more values are there and are the same.
    case equal([Reference])
    /// The values at a path, compared with each other in their order.
    case series(Selector, at: JSONPath, is: Series)
    /// What an observation carries is what the last whole answer before it gave.
    case latest(Selector, at: JSONPath, from: Selector, fromPath: JSONPath)
    /// The most requests that were open at the same time.
    case atOnce(Selector, is: Template)
    /// Each request is what its golden exchange says.
    case golden(Selector)
    /// One of these holds.
    case anyOf([Assertion])
    /// Named steps had these outcomes.
    case returns([Outcome])
    /// A callback was called so often, each time with such a value.
    case calledBack(Selector, times: Template, with: Template?)
    /// The subject's process did not end by itself. Judged even when the case had to stop because it did.
    case survives
    /// A named check of the protocol's pack.
    case check(name: String, with: JSON)
  }

  /// Which of several observations a template is held against.
  package enum Which: String, CaseIterable, Sendable {
    case first, last, each
  }

  /// How the values of a series are related.
  package enum Series: String, CaseIterable, Sendable {
    case same, different, ascending
    case notDescending = "not-descending"
  }

  /// The outcome of one labelled step.
  package struct Outcome: Hashable, Sendable {
    package var label: String
    package var template: Template

    package init(label: String, template: Template) {
      self.label = label
      self.template = template
    }
  }

  /// A value somewhere in the transcript.
  package struct Reference: Hashable, Sendable {
    /// Where it is taken from.
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
  /// The dialects in which it is made; nil for all of the case.
  package var dialects: [Dialect]?
  package var assertion: Assertion
  /// Where it stands in the catalogue.
  package var line: Int
  /// Its place in the list of the case, from 0; claims of one entry have the same.
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
  /// The words of the vocabulary, each once.
  package static let words = [
    "count", "never", "matches", "order", "gap", "gaps", "equal", "returns", "series", "latest", "at-once", "golden",
    "any-of", "called-back", "survives", "check",
  ]

  /// The word of the vocabulary.
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
