import ConformanceModel
import JSONKit

/// What `coverage.yaml` says of a protocol: where golden models pass, what nothing looks at for a reason, and what the
/// sentences of the documents have become.
package struct CoverageNotes: Sendable {
  /// A place at which a golden model, or a member of one, passes.
  package struct Passage: Hashable, Sendable {
    /// What passes there.
    package enum Kind: String, CaseIterable, Sendable {
      case request, answer, result, callback
    }

    package var model: String
    /// nil for the whole of it.
    package var member: MemberPath?
    package var kind: Kind
    /// Of the exchange or of the command; that of an exchange may be `any`.
    package var name: String
    package var path: MemberPath

    package init(model: String, member: MemberPath?, kind: Kind, name: String, path: MemberPath) {
      self.model = model
      self.member = member
      self.kind = kind
      self.name = name
      self.path = path
    }
  }

  /// Why nothing looks at something.
  package struct Reason: Hashable, Sendable {
    /// What it is a reason for, in which `*` stands for any text.
    package var pattern: String
    package var text: String
  }

  /// Why a rule of lint has nothing to say of something.
  package struct Exception: Hashable, Sendable {
    package var rule: String
    package var reason: Reason
  }

  /// A document that rules rest on.
  package struct Document: Hashable, Sendable {
    package var name: String
    package var sections: [Section]
  }

  /// A section of a document: its sentences, or what it says where that is one statement, or why no rule rests on it.
  package struct Section: Hashable, Sendable {
    package var name: String
    /// Its only statement, on which all rules rest that cite the section.
    package var text: String?
    package var reason: String?
    package var sentences: [Sentence]
  }

  /// A sentence in the kit's own words, and the rules that rest on it or why there are none.
  package struct Sentence: Hashable, Sendable {
    package var text: String
    package var rules: [RequirementID]
    package var reason: String?
  }

  package var passages: [Located<Passage>] = []
  package var flow: [Located<Reason>] = []
  package var moments: [Located<Reason>] = []
  package var unused: [Located<Exception>] = []
  package var documents: [Located<Document>] = []

  package init() {}
}

/// A place in a value in which an index stands for every element.
package struct MemberPath: Hashable, Sendable, CustomStringConvertible {
  /// Stands for every element of a list.
  package static let element = "[]"

  package var steps: [String]

  package init(_ steps: [String] = []) { self.steps = steps }

  package init(_ path: JSONPath) {
    steps = path.steps.map { if case .key(let key) = $0 { key } else { Self.element } }
  }

  package static func + (left: Self, right: Self) -> Self { Self(left.steps + right.steps) }

  package func appending(_ step: String) -> Self { Self(steps + [step]) }

  /// Whether the other place is this one or lies inside it.
  package func leads(to other: Self) -> Bool { other.steps.starts(with: steps) }

  package var description: String { steps.joined(separator: ".").replacing(".\(Self.element)", with: Self.element) }
}

extension FieldReader {
  /// `coverage.yaml`.
  mutating func coverageNotes(_ root: JSONField, in document: SpecDocument) -> CoverageNotes {
    var notes = CoverageNotes()
    notes.passages = elements(root.member("passages")).compactMap { field in
      passage(field).map { Located($0, in: document, at: field.path) }
    }
    notes.flow = reasons(root.member("flow"), "cell", in: document)
    notes.moments = reasons(root.member("moments"), "cell", in: document)
    notes.unused = elements(root.member("unused")).flatMap { field in
      let rule = text(field.member("rule"))
      return reasons(field, "of").map {
        Located(CoverageNotes.Exception(rule: rule, reason: $0), in: document, at: field.path)
      }
    }
    notes.documents = elements(root.member("documents")).map { Located(self.document($0), in: document, at: $0.path) }
    return notes
  }

  private mutating func passage(_ field: JSONField) -> CoverageNotes.Passage? {
    let kinds = CoverageNotes.Passage.Kind.allCases.filter { field.member($0.rawValue) != nil }
    guard let kind = kinds.first, kinds.count == 1 else {
      report(
        field.problem(expected: "one of " + CoverageNotes.Passage.Kind.allCases.map(\.rawValue).joined(separator: ", "))
      )
      return nil
    }
    let names = text(field.member("model")).split(separator: ".").map(String.init)
    return .init(
      model: names.first ?? "", member: names.count > 1 ? MemberPath(Array(names.dropFirst())) : nil, kind: kind,
      name: text(field.member(kind.rawValue)), path: MemberPath(field.member("at").map { path($0) } ?? .root))
  }

  private mutating func reasons(
    _ list: JSONField?, _ key: String, in document: SpecDocument
  ) -> [Located<CoverageNotes.Reason>] {
    elements(list).flatMap { field in reasons(field, key).map { Located($0, in: document, at: field.path) } }
  }

  /// One reason may do for several.
  private mutating func reasons(_ field: JSONField, _ key: String) -> [CoverageNotes.Reason] {
    let reason = text(field.member("reason"))
    return textOrTexts(field.member(key)).map { .init(pattern: $0, text: reason) }
  }

  private mutating func document(_ field: JSONField) -> CoverageNotes.Document {
    .init(name: text(field.member("document")), sections: elements(field.member("sections")).map { section($0) })
  }

  private mutating func section(_ field: JSONField) -> CoverageNotes.Section {
    .init(
      name: text(field.member("section")), text: field.member("says").map { text($0) },
      reason: field.member("reason").map { text($0) },
      sentences: elements(field.member("sentences")).map { field in
        .init(
          text: text(field.member("says")), rules: texts(field.member("rules")).map { RequirementID($0) },
          reason: field.member("reason").map { text($0) })
      })
  }
}
