import ConformanceModel
import JSONKit
import Templates

extension Verdict: JSONObjectEncodable, JSONRepresentable {
  fileprivate enum Word: String, CaseIterable {
    case conforms, violates, unjudged
    case notApplicable = "not-applicable"
  }

  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("instance", instance)
    members.add("requirement", requirement.rawValue)
    members.add("outcome", outcome.word)
    if !outcome.findings.isEmpty { members.add("findings", outcome.findings) }
    members.add("reason", outcome.reason)
    members.add("clock", clock.rawValue)
    members.add("cause", cause?.rawValue)
    members.add("unmetCondition", unmetCondition)
    members.add("normalReason", normalReason)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    instance = try field.decode("instance")
    requirement = RequirementID(try field.required("requirement").string())
    clock = try field.required("clock").word(ClockMode.self)
    if let cause = field.optional("cause") { self.cause = RequirementID(try cause.string()) }
    unmetCondition = try field.optional("unmetCondition")?.string()
    normalReason = try field.optional("normalReason")?.string()
    switch try field.required("outcome").word(Word.self) {
    case .conforms: outcome = .conforms
    case .violates: outcome = .violates(try field.required("findings").list())
    case .unjudged: outcome = .unjudged(reason: try field.required("reason").string())
    case .notApplicable: outcome = .notApplicable(reason: try field.required("reason").string())
    }
  }
}

extension Verdict.Outcome {
  /// The word for the outcome in records.
  package var word: String {
    let word: Verdict.Word =
      switch self {
      case .conforms: .conforms
      case .violates: .violates
      case .unjudged: .unjudged
      case .notApplicable: .notApplicable
      }
    return word.rawValue
  }

  /// Whether the requirement does not bind the subject, or the subject lacks a capability that the case needs.
  package var isNotApplicable: Bool { if case .notApplicable = self { true } else { false } }

  /// The differences that were found, if the subject violates the requirement. Otherwise empty.
  package var findings: [Finding] { if case .violates(let findings) = self { findings } else { [] } }

  /// Explains why the requirement is not judged. nil for a judged requirement.
  package var reason: String? {
    switch self {
    case .unjudged(let reason), .notApplicable(let reason): reason
    case .conforms, .violates: nil
    }
  }
}

extension Finding: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("subject", subject)
    members.add("path", path.description)
    members.add("expected", expected)
    members.add("observed", observed)
    members.add("entries", entries)
    members.add("normal", normal)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    subject = try field.required("subject").string()
    let place = try field.required("path")
    guard let path = JSONPath(try place.string()) else { throw place.problem(expected: "a path such as $.a[0]") }
    self.path = path
    expected = try field.required("expected").string()
    observed = try field.required("observed").string()
    var entries: [Int] = []
    for element in try field.required("entries").elements() { entries.append(try element.int()) }
    self.entries = entries
    normal = try field.decodeIfPresent("normal")
  }
}

extension Finding.Wording: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("subject", subject)
    members.add("expected", expected)
    members.add("observed", observed)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    subject = try field.required("subject").string()
    expected = try field.required("expected").string()
    observed = try field.required("observed").string()
  }
}
