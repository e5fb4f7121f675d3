import ConformanceModel
import JSONKit
import SpecDocuments

/// The content of `coverage.yaml`: the places in messages at which golden models occur, the reasons why no case judges
/// certain places, and the requirements that are based on each sentence of the documents.
package struct CoverageNotes: Sendable {
  /// A place in a message at which a golden model, or a member of a golden model, occurs.
  package struct Passage: Hashable, Sendable {
    /// The kind of message.
    package enum Kind: String, CaseIterable, Sendable {
      case request, answer, result, callback
    }

    package var model: String
    /// The path of the member; nil for the whole model.
    package var member: MemberPath?
    package var kind: Kind
    /// The name of the exchange or of the command; `any` for all exchanges.
    package var name: String
    package var path: MemberPath

    package init(model: String, member: MemberPath?, kind: Kind, name: String, path: MemberPath) {
      (self.model, self.member, self.kind, self.name, self.path) = (model, member, kind, name, path)
    }
  }

  /// A reason why no case judges some rows of a coverage table, or why a lint rule ignores something.
  package struct Reason: Hashable, Sendable {
    /// A pattern for the names of the rows or things that the reason is about; `*` matches any text.
    package var pattern: String
    package var text: String
  }

  /// Something that a lint rule ignores, with the reason.
  package struct Exception: Hashable, Sendable {
    package var rule: String
    package var reason: Reason
  }

  /// A document that requirements are based on.
  package struct Document: Hashable, Sendable {
    package var name: String
    package var sections: [Section]
  }

  /// A section of a document. It contains sentences, or a single statement on which requirements are based, or the
  /// reason why no requirement is based on the section.
  package struct Section: Hashable, Sendable {
    package var name: String
    /// The only statement of the section. All requirements that cite the section are based on this statement.
    package var text: String?
    package var reason: String?
    package var sentences: [Sentence]
  }

  /// A sentence of a document, in the words of the kit. It contains the requirements that are based on the sentence, or
  /// the reason why none is.
  package struct Sentence: Hashable, Sendable {
    package var text: String
    package var rules: [RequirementID]
    package var reason: String?
  }

  package var passages: [Located<Passage>] = []
  package var flow: [Located<Reason>] = []
  package var moments: [Located<Reason>] = []
  package var values: [Located<Reason>] = []
  package var negatives: [Located<Reason>] = []
  package var negativeRequirements: [NegativeKind: [Located<RequirementID>]] = [:]
  package var negativeForms: [NamedForm: [Located<String>]] = [:]
  package var unused: [Located<Exception>] = []
  package var documents: [Located<Document>] = []
}

/// The path of a member in a value. All elements of a list have the same path, because every index is written as `[]`.
package struct MemberPath: Hashable, Sendable, CustomStringConvertible {
  /// The step of the path in place of each index of an element.
  package static let element = "[]"

  package var steps: [String]

  package init(_ steps: [String] = []) { self.steps = steps }

  package init(_ path: JSONPath) {
    steps = path.steps.map { if case .key(let key) = $0 { key } else { Self.element } }
  }

  package static func + (left: Self, right: Self) -> Self { Self(left.steps + right.steps) }

  package func appending(_ step: String) -> Self { Self(steps + [step]) }

  /// Whether this path is equal to the other path, or is the beginning of it.
  package func leads(to other: Self) -> Bool { other.steps.starts(with: steps) }

  package var description: String { steps.joined(separator: ".").replacing(".\(Self.element)", with: Self.element) }
}

extension FieldReader {
  private typealias Reason = CoverageNotes.Reason

  /// Reads `coverage.yaml`.
  mutating func coverageNotes(_ root: JSONField, in document: SpecDocument) -> CoverageNotes {
    var notes = CoverageNotes()
    notes.passages = elements(root.member("passages")).compactMap { field in
      passage(field).map { Located($0, in: document, at: field.path) }
    }
    notes.flow = reasons(root.member("flow"), "cell", in: document)
    notes.moments = reasons(root.member("moments"), "cell", in: document)
    notes.values = reasons(root.member("values"), "cell", in: document)
    notes.negatives = reasons(root.member("negatives"), "cell", in: document)
    notes.negativeRequirements = lists(root.member("negativeRequirements"), in: document) { RequirementID($0) }
    notes.negativeForms = lists(root.member("negativeForms"), in: document) { $0 }
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

  /// Reads an object that maps the raw values of an enumeration to lists of texts.
  private mutating func lists<Key: RawRepresentable<String> & CaseIterable & Hashable, Value: Sendable>(
    _ object: JSONField?, in document: SpecDocument, _ value: (String) -> Value
  ) -> [Key: [Located<Value>]] {
    var lists: [Key: [Located<Value>]] = [:]
    for key in Key.allCases {
      lists[key] = elements(object?.member(key.rawValue)).map { Located(value(text($0)), in: document, at: $0.path) }
    }
    return lists
  }

  private mutating func reasons(_ list: JSONField?, _ key: String, in document: SpecDocument) -> [Located<Reason>] {
    elements(list).flatMap { field in reasons(field, key).map { Located($0, in: document, at: field.path) } }
  }

  /// The reasons in a field: one for each name that the member `key` contains, all with the same text.
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
