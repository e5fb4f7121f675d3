import ConformanceModel
import ConformanceSpec
import JSONKit

/// The sentences of the documents, with the requirements that are based on them.
package struct SourceCoverage: Sendable {
  /// A sentence with its requirements. If `text` is nil, the requirements cite the section as a whole, not one of its
  /// sentences.
  package struct Sentence: Hashable, Sendable {
    package var text: String?
    package var rules: [RequirementID]
    /// The reason in `coverage.yaml` why no requirement is based on the sentence; nil if it contains no such reason.
    package var reason: String?

    package var isOpen: Bool { rules.isEmpty && reason == nil }
  }

  /// A section of a document.
  package struct Section: Hashable, Sendable {
    package var document: String
    package var name: String
    package var sentences: [Sentence]
  }

  package let sections: [Section]

  package init(_ sources: CatalogueSources) {
    let requirements = sources.requirements.map(\.value)
    let cited = requirements.reduce(into: [SourcePlace]()) { places, requirement in
      for place in requirement.places where !places.contains(place) { places.append(place) }
    }
    var sections = sources.coverage.documents.map(\.value).flatMap { document in
      document.sections.map { section in
        let place = SourcePlace(document: document.name, section: section.name)
        let rules = requirements.filter { $0.places.contains(place) }.map(\.id)
        return Section(document: document.name, name: section.name, sentences: Self.sentences(section, rules))
      }
    }
    for place in cited where !sections.contains(where: { $0.document == place.document && $0.name == place.section }) {
      let rules = requirements.filter { $0.places.contains(place) }.map(\.id)
      sections.append(Section(document: place.document, name: place.section, sentences: [Sentence(rules: rules)]))
    }
    // The sections of one document are adjacent. Listed sections come first, then sections that only requirements name.
    let documents = sections.map(\.document).reduce(into: [String]()) { known, name in
      if !known.contains(name) { known.append(name) }
    }
    self.sections = documents.flatMap { name in sections.filter { $0.document == name } }
  }

  /// The sentences of a section, then the requirements that cite the section but none of its sentences.
  private static func sentences(_ section: CoverageNotes.Section, _ rules: [RequirementID]) -> [Sentence] {
    if let text = section.text { return [Sentence(text: text, rules: rules, reason: section.reason)] }
    let own = section.sentences.map { Sentence(text: $0.text, rules: $0.rules, reason: $0.reason) }
    let named = Set(own.flatMap(\.rules))
    let rest = rules.filter { !named.contains($0) }
    if rest.isEmpty, own.isEmpty { return [Sentence(rules: [], reason: section.reason)] }
    return own + (rest.isEmpty ? [] : [Sentence(rules: rest)])
  }
}

// MARK: Views

extension SourceCoverage {
  private static let width = 80

  package var text: String {
    var lines: [String] = []
    var document = ""
    for section in sections {
      if section.document != document {
        document = section.document
        lines += (lines.isEmpty ? [] : [""]) + document.wrapped(at: Self.width)
      }
      lines += section.name.wrapped(at: Self.width, margin: "  ")
      for sentence in section.sentences { lines += Self.lines(of: sentence) }
    }
    return (lines + [""] + summary.wrapped(at: Self.width)).joined(separator: "\n") + "\n"
  }

  private static func lines(of sentence: Sentence) -> [String] {
    let told = sentence.text.map { $0.wrapped(at: width, margin: "    ") } ?? []
    let rules = sentence.rules.map(\.rawValue).joined(separator: " ")
    let found =
      sentence.rules.isEmpty ? sentence.reason.map { "no requirement: \($0)" } ?? "NO REQUIREMENT AND NO REASON" : rules
    return told + found.wrapped(at: width, margin: sentence.text == nil ? "    " : "      ")
  }

  /// The sums, such as `120 sentences: 100 with requirements, 15 with a reason, 5 open; 30 requirements rest on a
  /// section as a whole`.
  package var summary: String {
    let sentences = sections.flatMap(\.sentences)
    let told = sentences.filter { $0.text != nil }
    let named = Set(told.flatMap(\.rules))
    let whole = Set(sentences.filter { $0.text == nil }.flatMap(\.rules)).subtracting(named).count
    return "\(told.count) sentences: \(told.count { !$0.rules.isEmpty }) with requirements, "
      + "\(told.count { $0.rules.isEmpty && $0.reason != nil }) with a reason, \(told.count(where: \.isOpen)) open; "
      + "\(whole) \(whole == 1 ? "requirement rests" : "requirements rest") on a section as a whole"
  }

  package var json: JSON {
    [
      "sections": .array(
        sections.map { section in
          [
            "document": .string(section.document), "section": .string(section.name),
            "sentences": .array(section.sentences.map(\.json)),
          ]
        })
    ]
  }
}

extension SourceCoverage.Sentence {
  fileprivate var json: JSON {
    .object(compact: [
      ("says", text.map(JSON.string)), ("rules", .array(rules.map { .string($0.rawValue) })),
      ("reason", reason.map(JSON.string)),
    ])
  }
}
