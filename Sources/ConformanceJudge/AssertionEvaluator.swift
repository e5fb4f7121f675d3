import ConformanceModel
import JSONKit

/// Holds assertions against evidence: what differs comes out as findings, none when the assertion holds.
struct AssertionEvaluator: Sendable {
  let evidence: Evidence
  let checks: [String: Check]

  func firstFinding(of assertions: [Claim.Assertion]) -> Finding? {
    assertions.lazy.flatMap { findings(of: $0) }.first
  }

  func findings(of assertion: Claim.Assertion) -> [Finding] {
    switch assertion {
    case .count(let selector, let template): count(selector, template)
    case .never(let selector): never(selector)
    case .matches(let selector, let which, let template): matches(selector, which, template)
    case .order(let selectors): order(selectors)
    case .gap(let from, let to, let template): gap(from, to, template)
    case .equal(let references): equal(references)
    case .returns(let outcomes): outcomes.flatMap(returns)
    case .unique(let selector, let path): unique(selector, path)
    case .calledBack(let selector, let times, let template): calledBack(selector, times, template)
    case .survives: deaths
    case .check(let name, let with): check(name, with)
    }
  }

  /// The ends that the subject's processes came to by themselves.
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

  private func match(_ template: Template, _ value: JSON?) -> [Template.Mismatch] {
    template.match(value, bindings: evidence.bindings, models: evidence.models).mismatches
  }

  /// A window whose step never happened shows nothing, whatever is claimed about it.
  private func missingWindow(_ selector: Selector) -> [Finding] {
    guard !evidence.hasWindow(of: selector) else { return [] }
    return [Finding(subject: "\(selector)", expected: "the step that bounds it", observed: "it never happened")]
  }

  private func count(_ selector: Selector, _ template: Template) -> [Finding] {
    let missing = missingWindow(selector)
    guard missing.isEmpty else { return missing }
    let seen = evidence.observations(selector)
    return match(template, .int(seen.count)).map { mismatch in
      Finding(
        subject: "\(selector)", expected: mismatch.expected, observed: mismatch.observed,
        entries: seen.isEmpty ? closest(to: selector) : seen.map(\.entry))
    }
  }

  private func never(_ selector: Selector) -> [Finding] {
    let missing = missingWindow(selector)
    guard missing.isEmpty else { return missing }
    let seen = evidence.observations(selector)
    guard !seen.isEmpty else { return [] }
    return [Finding(subject: "\(selector)", expected: "none", observed: "\(seen.count)", entries: seen.map(\.entry))]
  }

  private func matches(_ selector: Selector, _ which: Claim.Which, _ template: Template) -> [Finding] {
    let seen = evidence.observations(selector)
    let chosen = which == .first ? Array(seen.prefix(1)) : which == .last ? Array(seen.suffix(1)) : seen
    guard !chosen.isEmpty else {
      return [
        Finding(subject: "\(selector)", expected: "at least one", observed: "none", entries: closest(to: selector))
      ]
    }
    return chosen.flatMap { observation in
      match(template, observation.view).map { mismatch in
        Finding(
          subject: selector.singular, path: mismatch.path, expected: mismatch.expected, observed: mismatch.observed,
          entries: [observation.entry])
      }
    }
  }

  private func order(_ selectors: [Selector]) -> [Finding] {
    var last: (selector: Selector, entry: Int)?
    for selector in selectors {
      guard let first = evidence.observations(selector).first else {
        return [Finding(subject: "\(selector)", expected: "at least one", observed: "none")]
      }
      if let last, first.entry <= last.entry {
        return [
          Finding(
            subject: "order", expected: "\(last.selector.detail) before \(selector.detail)",
            observed: "the other way round", entries: [first.entry, last.entry])
        ]
      }
      last = (selector, first.entry)
    }
    return []
  }

  private func gap(_ from: Selector, _ to: Selector, _ template: Template) -> [Finding] {
    guard let start = evidence.observations(from).first else {
      return [Finding(subject: "\(from)", expected: "at least one", observed: "none")]
    }
    guard let end = evidence.observations(to).first else {
      return [Finding(subject: "\(to)", expected: "at least one", observed: "none", entries: [start.entry])]
    }
    guard let milliseconds = JSON.Number((end.at - start.at).milliseconds) else { return [] }
    return match(template, .number(milliseconds)).map { mismatch in
      Finding(
        subject: "time from \(from) to \(to)", expected: "\(mismatch.expected) ms", observed: "\(mismatch.observed) ms",
        entries: [start.entry, end.entry])
    }
  }

  private func equal(_ references: [Claim.Reference]) -> [Finding] {
    var known: (name: String, value: JSON, entries: [Int])?
    for reference in references {
      let found = value(of: reference)
      guard let value = found.value, !value.isNull else {
        let observed = found.value == nil ? "nothing" : "null"
        return [
          Finding(
            subject: found.name, path: reference.path, expected: "a value", observed: observed, entries: found.entries)
        ]
      }
      guard let first = known else {
        known = (found.name, value, found.entries)
        continue
      }
      if !first.value.isEquivalent(to: value) {
        return [
          Finding(
            subject: found.name, path: reference.path, expected: "\(first.value.excerpt), as in \(first.name)",
            observed: value.excerpt, entries: first.entries + found.entries)
        ]
      }
    }
    return []
  }

  private func value(of reference: Claim.Reference) -> (name: String, value: JSON?, entries: [Int]) {
    switch reference.origin {
    case .observed(let selector):
      let first = evidence.observations(selector).first
      return (selector.singular, first?.view[reference.path], first.map { [$0.entry] } ?? [])
    case .returned(let label):
      let outcome = evidence.outcomes[label]
      let value = outcome.flatMap { $0.view[Template.errorKey] == nil ? $0.view[reference.path] : nil }
      return ("\(outcome?.name ?? "step") '\(label)'", value, outcome?.entries ?? [])
    }
  }

  private func returns(_ wanted: Claim.Outcome) -> [Finding] {
    guard let outcome = evidence.outcomes[wanted.label] else {
      return [Finding(subject: "step '\(wanted.label)'", expected: "an outcome", observed: "it was never reached")]
    }
    return match(wanted.template, outcome.view).map { mismatch in
      Finding(
        subject: "\(outcome.name) '\(wanted.label)'", path: mismatch.path, expected: mismatch.expected,
        observed: mismatch.observed, entries: outcome.entries)
    }
  }

  private func unique(_ selector: Selector, _ path: JSONPath) -> [Finding] {
    let seen = evidence.observations(selector)
    guard seen.count >= 2 else {
      return [
        Finding(subject: "\(selector)", expected: "at least 2", observed: "\(seen.count)", entries: seen.map(\.entry))
      ]
    }
    var first: [JSON: Int] = [:]
    return seen.compactMap { observation in
      guard let value = observation.view[path] else {
        return Finding(
          subject: selector.singular, path: path, expected: "a value", observed: "nothing", entries: [observation.entry]
        )
      }
      guard let earlier = first.updateValue(observation.entry, forKey: value) else { return nil }
      return Finding(
        subject: selector.singular, path: path, expected: "a value not seen before", observed: value.excerpt,
        entries: [earlier, observation.entry])
    }
  }

  private func calledBack(_ selector: Selector, _ times: Template, _ template: Template?) -> [Finding] {
    let wrongCount = count(selector, times)
    guard let template, wrongCount.isEmpty else { return wrongCount }
    return evidence.observations(selector).flatMap { observation in
      match(template, observation.view).map { mismatch in
        Finding(
          subject: selector.singular, path: mismatch.path, expected: mismatch.expected, observed: mismatch.observed,
          entries: [observation.entry])
      }
    }
  }

  private func check(_ name: String, _ with: JSON) -> [Finding] {
    guard let check = checks[name] else {
      return [
        Finding(subject: "check '\(name)'", expected: "a check of the protocol's pack", observed: "no such check")
      ]
    }
    return check.findings(evidence, with.filled(from: evidence.bindings))
  }

  /// Where nothing was picked: the entries of the same kind without the window and filter, which show what came instead.
  private func closest(to selector: Selector) -> [Int] {
    evidence.observations(Selector(selector.subject, upstream: selector.upstream)).suffix(3).map(\.entry)
  }
}

extension Selector {
  /// What a finding calls one observation.
  var singular: String {
    switch subject {
    case .request("any"): "request"
    case .request(let exchange): "\(exchange) request"
    case .callback(let handle): "callback '\(handle)'"
    }
  }

  /// What tells this selector from its neighbours in an order.
  var detail: String {
    filter.map { "\(singular) like \($0.source.excerpt)" } ?? "\(self)"
  }
}

extension JSON {
  /// The value with every text that is a hole alone replaced by what it is bound to.
  func filled(from bindings: Bindings) -> JSON {
    guard let template = try? Template(self), let rendered = try? template.render(bindings) else { return self }
    return rendered
  }
}
