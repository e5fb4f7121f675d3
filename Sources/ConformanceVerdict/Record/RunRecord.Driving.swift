import ConformanceModel
import JSONKit

extension RunRecord {
  /// The result of a check whether an adapter really calls its SDK, or does the work of the SDK itself. In this check,
  /// the same adapter runs around an SDK that is broken on purpose. If a mandatory requirement holds nevertheless, the
  /// adapter did the work.
  package enum Driving: Hashable, Sendable {
    /// The check was not made.
    case notShown
    /// The check ran this number of cases, and no mandatory requirement held in them.
    case drives(cases: Int)
    /// The check ran this number of cases, and these mandatory requirements, sorted by id, held. So the adapter did the
    /// work of the SDK.
    case answersWithout([RequirementID], cases: Int)

    /// The result in words, as it stands after the name of an SDK: `drives the SDK (603 cases with a broken one)`, in which
    /// "one" is an SDK.
    package var text: String {
      switch self {
      case .notShown: "not shown to drive the SDK"
      case .drives(let cases): "drives the SDK (\("case".counted(cases)) with a broken one)"
      case .answersWithout(let requirements, _):
        "answers without the SDK: \("requirement".counted(requirements.count)) held with a broken one"
      }
    }
  }
}

/// One of `{"result": "not-shown"}`, `{"result": "drives", "cases": 603}` and `{"result": "answers-without", "cases":
/// 603, "requirements": ["LF-INIT-001"]}`.
extension RunRecord.Driving: JSONObjectEncodable, JSONRepresentable {
  private enum Word: String, CaseIterable {
    case notShown = "not-shown"
    case drives
    case answersWithout = "answers-without"
  }

  package func encodeMembers(into members: inout some JSONMembers) {
    switch self {
    case .notShown: members.add("result", Word.notShown.rawValue)
    case .drives(let cases):
      members.add("result", Word.drives.rawValue)
      members.add("cases", cases)
    case .answersWithout(let requirements, let cases):
      members.add("result", Word.answersWithout.rawValue)
      members.add("cases", cases)
      members.add("requirements", requirements.map(\.rawValue))
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    switch try field.required("result").word(Word.self) {
    case .notShown: self = .notShown
    case .drives: self = .drives(cases: try field.required("cases").int())
    case .answersWithout:
      let requirements = try field.required("requirements").strings().map { RequirementID($0) }
      self = .answersWithout(requirements, cases: try field.required("cases").int())
    }
  }
}
