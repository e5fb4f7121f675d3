import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

/// Assertions that compare several observations with each other, or with the values of earlier answers.
extension AssertionEvaluator {
  func equal(_ references: [Claim.Reference]) throws(Unjudgeable) -> [Finding] {
    var known: (name: String, value: JSON, entries: [Int])?
    for reference in references {
      let found = try value(of: reference)
      guard let value = found.value, !value.isNull else {
        let observed = found.value == nil ? "nothing" : "null"
        return [
          Finding(
            subject: found.name, path: reference.path, expected: "a value",
            observed: found.outcome?.observed(observed, at: reference.path) ?? observed, entries: found.entries)
        ]
      }
      guard let first = known else {
        known = (found.name, value, found.entries)
        continue
      }
      if !first.value.isEquivalent(to: value), !first.value.isSameInstant(as: value) {
        return [
          Finding(
            subject: found.name, path: reference.path, expected: "\(first.value.excerpt), as in \(first.name)",
            observed: value.excerpt, entries: first.entries + found.entries)
        ]
      }
    }
    return []
  }

  private func value(
    of reference: Claim.Reference
  ) throws(Unjudgeable) -> (name: String, value: JSON?, entries: [Int], outcome: Evidence.Outcome?) {
    switch reference.origin {
    case .observed(let selector):
      let first = try observations(selector).first
      return (selector.singular, first?.view[reference.path], first.map { [$0.entry] } ?? [], nil)
    case .returned(let label):
      guard let outcome = evidence.outcomes[label] else {
        throw lack(of: label)
      }
      if outcome.isUnanswered { throw .unanswered(label) }
      let value = outcome.view[Template.errorKey] == nil ? outcome.view[reference.path] : nil
      return ("\(outcome.name) '\(label)'", value, outcome.entries, outcome)
    }
  }

  func series(_ selector: Selector, _ path: JSONPath, _ relation: Claim.Series) throws(Unjudgeable) -> [Finding] {
    let seen = try observations(selector)
    guard seen.count >= 2 else {
      return [
        Finding(subject: "\(selector)", expected: "at least 2", observed: "\(seen.count)", entries: seen.map(\.entry))
      ]
    }
    var findings: [Finding] = []
    var earlier: [(value: JSON, entry: Int)] = []
    for observation in seen {
      guard let value = observation.view[path], !value.isNull else {
        findings.append(
          Finding(
            subject: selector.singular, path: path, expected: "a value", observed: "nothing",
            entries: [observation.entry]))
        continue
      }
      if let other = earlier.first(where: { relation.isBroken(by: value, after: $0.value) })
        ?? unlike(value, earlier, relation)
      {
        findings.append(
          Finding(
            subject: selector.singular, path: path, expected: relation.phrase(other.value), observed: value.excerpt,
            entries: [other.entry, observation.entry]))
      }
      // Only `different` compares a value with all earlier values. The other relations compare it with the last value.
      earlier = relation == .different ? earlier + [(value, observation.entry)] : [(value, observation.entry)]
    }
    return findings
  }

  /// The last of the earlier values, if the relation needs an order, and the kit cannot say whether `value` or this
  /// earlier value is larger; otherwise nil.
  private func unlike(
    _ value: JSON, _ earlier: [(value: JSON, entry: Int)], _ relation: Claim.Series
  ) -> (value: JSON, entry: Int)? {
    guard relation == .ascending || relation == .notDescending, let last = earlier.last,
      last.value.isOrdered(before: value) == nil
    else { return nil }
    return last
  }

  /// Checks that each observation contains the value of the last answer that was complete before the observation. The
  /// value of an answer that had begun, but was not complete, is also allowed. If answers overlap in time, each of
  /// their values is allowed, because the subject may have read any of them last.
  func latest(
    _ selector: Selector, _ path: JSONPath, from source: Selector, _ sourcePath: JSONPath
  ) throws(Unjudgeable) -> [Finding] {
    let given = try observations(source).filter { $0.view[sourcePath].map { !$0.isNull } ?? false }
    let seen = try observations(selector)
    guard !seen.isEmpty else { return [nothing(of: selector)] }
    return seen.compactMap { observation in
      let before = given.filter { $0.entry < observation.entry }
      let whole = before.filter { ($0.end ?? .max) < observation.entry }
      let settled = whole.max { ($0.end ?? 0) < ($1.end ?? 0) }
      let overlapping = whole.filter { one in settled.map { $0.entry != one.entry && $0.entry < one.end ?? 0 } ?? false
      }
      let open = before.filter { one in
        // The subject may have read an answer that never became complete, unless a newer answer is complete.
        one.end.map { $0 >= observation.entry } ?? (one.entry > settled?.entry ?? 0)
      }
      let allowed = (overlapping + [settled].compactMap(\.self) + open).compactMap { $0.view[sourcePath] }
      let carried = observation.view[path]
      if settled == nil, carried == nil { return nil }
      if let carried, allowed.contains(where: { $0.isEquivalent(to: carried) }) { return nil }
      let expected =
        allowed.last.map { "\($0.excerpt), as \(source.singular) gave it last" } ?? "nothing, as none was given"
      return Finding(
        subject: selector.singular, path: path, expected: expected, observed: carried?.excerpt ?? "nothing",
        entries: [settled?.entry, observation.entry].compactMap(\.self))
    }
  }

  func atOnce(_ selector: Selector, _ template: Template) throws(Unjudgeable) -> [Finding] {
    try expectRequests(selector, "at-once")
    guard try !observations(selector).isEmpty else { return [nothing(of: selector)] }
    let most = evidence.mostAtOnce(selector)
    return try match(template, .int(most.count)).map { mismatch in
      Finding(
        subject: "\(selector) open at the same time", expected: mismatch.expected, observed: mismatch.observed,
        entries: most.entries)
    }
  }

  private func expectRequests(_ selector: Selector, _ word: String) throws(Unjudgeable) {
    guard case .request = selector.subject else { throw .kit("\(word) is about requests, not \(selector)") }
  }

  /// Compares each request with its golden exchange in the dialect of the transcript.
  func golden(_ selector: Selector) throws(Unjudgeable) -> [Finding] {
    try expectRequests(selector, "golden")
    let seen = try observations(selector)
    guard !seen.isEmpty else { return [nothing(of: selector)] }
    return seen.flatMap { observation -> [Finding] in
      let entry = evidence.transcript.entries[observation.entry - 1]
      guard case .request(_, let record) = entry.event else { return [] }
      guard record.nearMiss == nil, let exchange = record.exchange.flatMap(catalogue.exchange),
        let request = exchange.request(in: evidence.transcript.header.instance.dialect)
      else {
        let reason = record.nearMiss.map { ": \($0)" } ?? ""
        return [
          Finding(
            subject: selector.singular, path: JSONPath([.key("target")]), expected: "a golden exchange",
            observed: "\(record.method) \(record.target), which fits none\(reason)", entries: [observation.entry])
        ]
      }
      return request.mismatches(in: observation.view, models: evidence.models).map { mismatch in
        Finding(
          subject: "\(exchange.name) request", path: mismatch.path, expected: mismatch.expected,
          observed: mismatch.observed, entries: [observation.entry])
      }
    }
  }
}

extension Claim.Series {
  /// Whether `value` and the earlier value do not have the relation that the series demands.
  fileprivate func isBroken(by value: JSON, after earlier: JSON) -> Bool {
    switch self {
    case .same: !earlier.isEquivalent(to: value) && !earlier.isSameInstant(as: value)
    case .different: earlier.isEquivalent(to: value)
    case .ascending: earlier.isOrdered(before: value).map { !$0 } ?? false
    case .notDescending: value.isOrdered(before: earlier) ?? false
    }
  }

  fileprivate func phrase(_ earlier: JSON) -> String {
    switch self {
    case .same: "\(earlier.excerpt), as before"
    case .different: "a value not seen before"
    case .ascending: "more than \(earlier.excerpt), which came before"
    case .notDescending: "at least \(earlier.excerpt), which came before"
    }
  }
}

extension JSON {
  /// Whether this value is less than another; nil if the two values have no order. Texts that contain numbers are
  /// compared as numbers, two texts that contain instants as instants, and any other two texts alphabetically.
  fileprivate func isOrdered(before other: JSON) -> Bool? {
    if let left = ordinal, let right = other.ordinal { return left.isLess(than: right) }
    guard case .string(let left) = self, case .string(let right) = other else { return nil }
    if let one = Timestamp(iso8601: left), let two = Timestamp(iso8601: right) {
      return one.milliseconds < two.milliseconds
    }
    return left < right
  }

  private var ordinal: Number? {
    switch self {
    case .number(let number): number
    case .string(let text): Number(lexeme: text)
    default: nil
    }
  }
}

extension Exchange.Request {
  /// The differences between the template and a request. `view` is the request as the JSON value that claims read. The
  /// path is not compared, because the kit has already used it to find out to which exchange the request belongs.
  fileprivate func mismatches(in view: JSON, models: Template.Models) -> [Template.Mismatch] {
    var found: [Template.Mismatch] = []
    func hold(_ template: Template, _ value: JSON?, at path: [JSONPath.Step], isOptional: Bool) {
      if value == nil, isOptional { return }
      found += template.match(value, models: models).mismatches.map { mismatch in
        Template.Mismatch(
          path: JSONPath(path + mismatch.path.steps), expected: mismatch.expected, observed: mismatch.observed)
      }
    }
    for (name, template) in query.sorted(by: { $0.key < $1.key }) {
      hold(template, view["query"]?[name], at: [.key("query"), .key(name)], isOptional: !template.holeNames.isEmpty)
    }
    for (name, template) in headers.sorted(by: { $0.key < $1.key }) {
      let isOptional = name.hasSuffix("?")
      let key = (isOptional ? String(name.dropLast()) : name).lowercased()
      hold(template, view["headers"]?[key], at: [.key("headers"), .key(key)], isOptional: isOptional)
    }
    if let body { hold(body, view["body"], at: [.key("body")], isOptional: false) }
    return found
  }
}
