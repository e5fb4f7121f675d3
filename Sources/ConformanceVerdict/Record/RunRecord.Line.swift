import JSONKit

extension RunRecord {
  /// One line of a record.
  package enum Line: Hashable, Sendable {
    case run(Header)
    /// A subject takes part.
    case subject(Participant)
    /// A case failed, perhaps because the machine was busy, and is tried again.
    case doubt(Doubt)
    /// A case was performed.
    case testCase(CaseRun)
    /// A requirement was judged.
    case verdict(Ruling)
    case end(End)
  }
}

/// An object such as `{"record": "case", …}`. The other members depend on the kind of line.
extension RunRecord.Line: JSONObjectEncodable, JSONRepresentable {
  private enum Kind: String, CaseIterable {
    case run, subject, doubt
    case testCase = "case"
    case verdict, end
  }

  private var kind: Kind {
    switch self {
    case .run: .run
    case .subject: .subject
    case .doubt: .doubt
    case .testCase: .testCase
    case .verdict: .verdict
    case .end: .end
    }
  }

  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("record", kind.rawValue)
    switch self {
    case .run(let header): header.encodeMembers(into: &members)
    case .subject(let subject): subject.encodeMembers(into: &members)
    case .doubt(let doubt): doubt.encodeMembers(into: &members)
    case .testCase(let run): run.encodeMembers(into: &members)
    case .verdict(let ruling): ruling.encodeMembers(into: &members)
    case .end(let end): end.encodeMembers(into: &members)
    }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    switch try field.required("record").word(Kind.self) {
    case .run: self = .run(try RunRecord.Header(field))
    case .subject: self = .subject(try RunRecord.Participant(field))
    case .doubt: self = .doubt(try RunRecord.Doubt(field))
    case .testCase: self = .testCase(try RunRecord.CaseRun(field))
    case .verdict: self = .verdict(try RunRecord.Ruling(field))
    case .end: self = .end(try RunRecord.End(field))
    }
  }
}
