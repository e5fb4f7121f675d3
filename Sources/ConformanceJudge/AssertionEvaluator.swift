import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

/// Compares evidence with assertions. Each difference is a finding, and an assertion without findings holds.
///
/// An assertion that refers to a missing label, check or exchange throws ``Unjudgeable``, because the kit then cannot
/// decide whether the assertion holds.
struct AssertionEvaluator: Sendable {
  let evidence: Evidence
  let catalogue: Catalogue
  let checks: [String: Check]

  func firstFinding(of assertions: [Claim.Assertion]) throws(Unjudgeable) -> Finding? {
    for assertion in assertions {
      if let finding = try findings(of: assertion).first { return finding }
    }
    return nil
  }

  func findings(of assertion: Claim.Assertion) throws(Unjudgeable) -> [Finding] {
    try foundFindings(of: assertion).map { marked($0, of: assertion) }
  }

  private func foundFindings(of assertion: Claim.Assertion) throws(Unjudgeable) -> [Finding] {
    switch assertion {
    case .count(let selector, let template): try count(selector, template)
    case .never(let selector): try never(selector)
    case .matches(let selector, let which, let template): try matches(selector, which, template)
    case .order(let selectors): try order(selectors)
    case .gap(let from, let to, let template): try gap(from, to, template)
    case .gaps(let selector, let templates): try gaps(selector, templates)
    case .equal(let references): try equal(references)
    case .series(let selector, let path, let relation): try series(selector, path, relation)
    case .latest(let selector, let path, let source, let sourcePath):
      try latest(selector, path, from: source, sourcePath)
    case .atOnce(let selector, let template): try atOnce(selector, template)
    case .golden(let selector): try golden(selector)
    case .anyOf(let assertions): try anyOf(assertions)
    case .returns(let outcomes): try returns(outcomes)
    case .calledBack(let selector, let times, let template): try calledBack(selector, times, template)
    case .survives: deaths
    case .check(let name, let with): try check(name, with)
    }
  }

  /// The observations that a selector selects. Throws if the selector refers to a step, an exchange or a value that
  /// does not exist.
  func observations(_ selector: Selector) throws(Unjudgeable) -> [Evidence.Observation] {
    if let label = evidence.missingLabels(of: selector).first {
      throw .kit("\(selector): no step '\(label)' of the transcript bounds the window")
    }
    if case .step(let label) = selector.subject, !evidence.hasEnded(label) {
      throw .kit("the transcript has no step '\(label)'")
    }
    if let exchange = selector.exchange, catalogue.exchange(exchange) == nil {
      throw .kit("the catalogue has no exchange '\(exchange)'")
    }
    // A filter with a missing reference would select nothing, and `never` would hold.
    if let filter = selector.filter { try expectReferences(of: filter) }
    return evidence.observations(selector)
  }

  func match(_ template: Template, _ value: JSON?, hasAnswer: Bool = true) throws(Unjudgeable) -> [Template.Mismatch] {
    try expectReferences(of: template)
    return template.match(value, bindings: evidence.bindings, models: evidence.models, hasAnswer: hasAnswer).mismatches
  }

  private func expectReferences(of template: Template) throws(Unjudgeable) {
    guard let name = template.unknownReference(in: evidence) else { return }
    throw lack(of: String(name.prefix { $0 != "." }))
  }

  /// The reason why an assertion about the outcome of this step cannot be judged: the transcript contains no outcome of
  /// the step.
  func lack(of label: String) -> Unjudgeable {
    evidence.hasEnded(label) ? .nothingSeen(label) : .kit("the transcript has no step '\(label)'")
  }

  /// The last three entries that a selector would select without its filter and its limits. They show what the subject
  /// did instead if the selector selects nothing.
  func closest(to selector: Selector) -> [Int] { evidence.observations(selector.widened).suffix(3).map(\.entry) }

  /// The text that names the selected observations in a finding. It includes the filter.
  private func described(_ selector: Selector) -> String {
    guard let filter = selector.filter else { return "\(selector)" }
    return "\(selector)" + Finding.filterWord + filter.clause(evidence.bindings)
  }

  /// The finding for a selector that should select at least one observation and selects none.
  func nothing(of selector: Selector, besides entries: [Int] = []) -> Finding {
    Finding(
      subject: described(selector), expected: "at least one", observed: Self.nothingSeen + nearMiss(of: selector),
      entries: entries + closest(to: selector))
  }

  /// The differences between the filter and the most similar observation; empty if every observation has more than
  /// three differences.
  private func nearMiss(of selector: Selector) -> String {
    guard let filter = selector.filter else { return "" }
    var unfiltered = selector
    unfiltered.filter = nil
    let missed = evidence.observations(unfiltered).map { observation in
      filter.match(observation.view, bindings: evidence.bindings, models: evidence.models).mismatches
    }
    .filter { (1...3).contains($0.count) }
    guard let nearest = missed.min(by: { $0.count < $1.count }) else { return "" }
    let differences = nearest.map { "\($0.path) expected \($0.expected), observed \($0.observed)" }
    return "; \(missed.count) came near: " + differences.joined(separator: ", ")
  }

  /// A finding for each process of the subject that ended by itself.
  private var deaths: [Finding] {
    evidence.transcript.entries.compactMap { entry in
      let observed: String
      switch entry.event {
      case .process(.exited(let code)): observed = "it exited with code \(code)"
      case .process(.signalled(let signal)): observed = "it died of signal \(signal)"
      default: return nil
      }
      return Finding(subject: "the process", expected: "to go on", observed: observed, entries: [entry.number])
    }
  }

  private func count(_ selector: Selector, _ template: Template) throws(Unjudgeable) -> [Finding] {
    let seen = try observations(selector)
    return try match(template, .int(seen.count)).map { mismatch in
      Finding(
        subject: described(selector), expected: mismatch.expected, observed: mismatch.observed + nearMiss(of: selector),
        entries: seen.isEmpty ? closest(to: selector) : seen.map(\.entry))
    }
  }

  private func never(_ selector: Selector) throws(Unjudgeable) -> [Finding] {
    let seen = try observations(selector)
    guard !seen.isEmpty else { return [] }
    return [
      Finding(subject: described(selector), expected: "none", observed: "\(seen.count)", entries: seen.map(\.entry))
    ]
  }

  /// The findings about too many observations in a case that was cut short. They are certain, because later events
  /// could not have made the number smaller.
  func excess(of assertion: Claim.Assertion) -> [Finding] {
    do throws(Unjudgeable) {
      switch assertion {
      case .never(let selector): return try never(open(selector))
      case .count(let selector, let template):
        guard let most = template.most, try Double(observations(open(selector)).count) > most else { return [] }
        return try count(open(selector), template)
      default: return []
      }
    } catch {
      return []
    }
  }

  /// The selector. If the case ended before the step that `before` names began, `before` is removed, because all
  /// observations came before that step. Throws if the filter depends on an answer, because the answer might still have
  /// come.
  private func open(_ selector: Selector) throws(Unjudgeable) -> Selector {
    if selector.filter?.source.names("answered") ?? false {
      throw Unjudgeable(description: "the answer may still come")
    }
    var selector = selector
    if let before = selector.before, evidence.missingLabels(of: selector).contains(before) { selector.before = nil }
    return selector
  }

  private func matches(
    _ selector: Selector, _ which: Claim.Which, _ template: Template
  ) throws(Unjudgeable) -> [Finding] {
    let seen = try observations(selector)
    let chosen = which == .first ? Array(seen.prefix(1)) : which == .last ? Array(seen.suffix(1)) : seen
    guard !chosen.isEmpty else { return [nothing(of: selector)] }
    return try findings(of: template, in: chosen, selector)
  }

  func findings(
    of template: Template, in seen: [Evidence.Observation], _ selector: Selector
  ) throws(Unjudgeable) -> [Finding] {
    if case .reply(let label) = selector.subject, evidence.outcomes[label]?.isUnanswered == true {
      throw .unanswered(label)
    }
    var outcome: Evidence.Outcome?
    if case .reply(let label) = selector.subject { outcome = evidence.outcomes[label] }
    var findings: [Finding] = []
    for observation in seen {
      findings += try match(template, observation.view).map { mismatch in
        Finding(
          subject: selector.singular, path: mismatch.path, expected: mismatch.expected,
          observed: outcome?.observed(mismatch.observed, at: mismatch.path)
            ?? mismatch.observed + unreadable(mismatch.path, in: observation),
          entries: [observation.entry])
      }
    }
    return findings
  }

  /// Explains why the body of an observation cannot be compared, for example because it is not JSON. Empty if the bytes
  /// do not show why.
  private func unreadable(_ path: JSONPath, in observation: Evidence.Observation) -> String {
    guard path.steps.first == .key("body"), observation.view["body"] == nil,
      let reason = evidence.transcript.entries[observation.entry - 1].event.body?.reasonNotJSON
    else { return "" }
    return ": \(reason)"
  }

  private func order(_ selectors: [Selector]) throws(Unjudgeable) -> [Finding] {
    var last: (name: String, entry: Int)?
    for selector in selectors {
      let name = selector.detail(evidence.bindings)
      guard let first = try observations(selector).first else { throw .neverCame(name) }
      if let last, first.entry <= last.entry {
        return [
          Finding(
            subject: "order", expected: "\(last.name) before \(name)",
            observed: "the other way round", entries: [first.entry, last.entry])
        ]
      }
      last = (name, first.entry)
    }
    return []
  }

  private func gap(_ from: Selector, _ to: Selector, _ template: Template) throws(Unjudgeable) -> [Finding] {
    guard let start = try observations(from).first else { return [nothing(of: from)] }
    guard let end = try observations(to).first else { return [nothing(of: to, besides: [start.entry])] }
    return try span(start, end, template, "time from \(from) to \(to)")
  }

  private func gaps(_ selector: Selector, _ templates: [Template]) throws(Unjudgeable) -> [Finding] {
    let seen = try observations(selector)
    guard seen.count > templates.count else {
      return [
        Finding(
          subject: "\(selector)", expected: "at least \(templates.count + 1)", observed: "\(seen.count)",
          entries: seen.map(\.entry))
      ]
    }
    var findings: [Finding] = []
    for (index, template) in templates.enumerated() {
      findings += try span(
        seen[index], seen[index + 1], template, "time from \(selector.singular) \(index + 1) to the next")
    }
    return findings
  }

  /// The findings about the time between two observations, in logical milliseconds.
  private func span(
    _ start: Evidence.Observation, _ end: Evidence.Observation, _ template: Template, _ subject: String
  ) throws(Unjudgeable) -> [Finding] {
    // Times are compared in whole microseconds.
    let exact = (end.at - start.at).milliseconds
    guard let milliseconds = JSON.Number((exact * 1000).rounded() / 1000) else { return [] }
    return try match(template, .number(milliseconds)).map { mismatch in
      Finding(
        subject: subject, expected: "\(mismatch.expected) ms", observed: "\(mismatch.observed) ms",
        entries: [start.entry, end.entry])
    }
  }

  private func anyOf(_ assertions: [Claim.Assertion]) throws(Unjudgeable) -> [Finding] {
    var all: [Finding] = []
    for assertion in assertions {
      let found = try findings(of: assertion)
      if found.isEmpty { return [] }
      all += found.prefix(1)
    }
    return [
      Finding(
        subject: "one of \(assertions.count) ways",
        expected: all.map { "\($0.subject): \($0.expected)" }.joined(separator: ", or "),
        observed: all.map(\.observed).joined(separator: ", "), entries: Array(Set(all.flatMap(\.entries))).sorted())
    ]
  }

  private func returns(_ wanted: [Claim.Outcome]) throws(Unjudgeable) -> [Finding] {
    var findings: [Finding] = []
    for one in wanted {
      guard let outcome = evidence.outcomes[one.label] else {
        throw lack(of: one.label)
      }
      if outcome.isUnanswered, !one.template.isAboutAnswering { throw .unanswered(one.label) }
      findings += try match(one.template, outcome.view, hasAnswer: outcome.hasAnswer).map { mismatch in
        Finding(
          subject: "\(outcome.name) '\(one.label)'", path: mismatch.path, expected: mismatch.expected,
          observed: outcome.observed(mismatch.observed, at: mismatch.path), entries: outcome.entries)
      }
    }
    return findings
  }

  private func calledBack(
    _ selector: Selector, _ times: Template, _ template: Template?
  ) throws(Unjudgeable) -> [Finding] {
    let wrongCount = try count(selector, times)
    guard let template, wrongCount.isEmpty else { return wrongCount }
    return try findings(of: template, in: observations(selector), selector)
  }

  private func check(_ name: String, _ with: JSON) throws(Unjudgeable) -> [Finding] {
    guard let check = checks[name] else { throw .kit("there is no check '\(name)'") }
    do {
      return try check.findings(evidence, with.filled(from: evidence.bindings))
    } catch let missing as Check.NothingSeen {
      throw .noneSeen(missing.what)
    } catch {
      throw .kit("the check '\(name)': \(error)")
    }
  }
}

extension Evidence.Outcome {
  /// The observed text for a path. If the value is missing, and a binding file says at which place in the answer it is,
  /// the text also names this place, because the file may be wrong.
  func observed(_ text: String, at path: JSONPath) -> String {
    guard case .key(let name)? = path.steps.first, let place = absent[name] else { return text }
    return "\(text): 'answers' of the binding file looks for it at \(place)"
  }
}

extension Selector {
  /// The text that describes one observation of this selector in a finding of the assertion `order`. It includes the
  /// filter.
  func detail(_ bindings: Bindings) -> String {
    filter.map { singular + Finding.filterWord + $0.clause(bindings) } ?? "\(self)"
  }
}

extension Template {
  /// Whether the template demands that a command succeeds or fails. Such a template can also judge a command without an
  /// answer.
  fileprivate var isAboutAnswering: Bool {
    guard case .constraints(let constraints) = node else { return false }
    return constraints.contains { constraint in
      switch constraint {
      case .succeeds, .fails: true
      default: false
      }
    }
  }

  /// The first reference whose first name is neither a step nor a value nor an address of the transcript; nil if the
  /// transcript has a value for each reference.
  fileprivate func unknownReference(in evidence: Evidence) -> String? {
    guard hasReferences else { return nil }
    return node.references.first { name in
      !evidence.bindings.binds(name) && !evidence.bindings.binds(String(name.prefix { $0 != "." }))
    }
  }
}

extension JSON {
  /// Fills the holes of the value. A hole without a value stays as it is.
  func filled(from bindings: Bindings) -> JSON {
    guard let template = try? Template(self), let rendered = try? template.render(bindings) else {
      return filled(with: bindings)
    }
    return rendered
  }
}

extension JSON {
  /// Whether a member with this name occurs anywhere in the value.
  fileprivate func names(_ key: String) -> Bool {
    switch self {
    case .array(let elements): elements.contains { $0.names(key) }
    case .object(let object): object.members.contains { $0.key == key || $0.value.names(key) }
    default: false
    }
  }
}
