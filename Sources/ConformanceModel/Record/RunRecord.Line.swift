import JSONKit

extension RunRecord {
  /// One line of a record.
  package enum Line: Hashable, Sendable {
    case run(Header)
    /// A subject introduced itself.
    case subject(Participant)
    /// A case was performed.
    case testCase(CaseRun)
    /// A requirement was judged.
    case verdict(Ruling)
    case end(End)
  }
}

/// `{"record": "case", …}`; the rest depends on the kind.
extension RunRecord.Line: JSONRepresentable {
  private enum Kind: String, CaseIterable {
    case run, subject
    case testCase = "case"
    case verdict, end
  }

  package var representation: JSON {
    switch self {
    case .run(let header): Self.tagged(.run, header)
    case .subject(let subject): Self.tagged(.subject, subject)
    case .testCase(let run): Self.tagged(.testCase, run)
    case .verdict(let ruling): Self.tagged(.verdict, ruling)
    case .end(let end): Self.tagged(.end, end)
    }
  }

  private static func tagged(_ kind: Kind, _ value: some JSONRepresentable) -> JSON {
    .joining(["record": .string(kind.rawValue)], value.representation)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    switch try field.required("record").word(Kind.self) {
    case .run: self = .run(try RunRecord.Header(field))
    case .subject: self = .subject(try RunRecord.Participant(field))
    case .testCase: self = .testCase(try RunRecord.CaseRun(field))
    case .verdict: self = .verdict(try RunRecord.Ruling(field))
    case .end: self = .end(try RunRecord.End(field))
    }
  }
}
