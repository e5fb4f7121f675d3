import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import SpecDocuments
import Templates

extension Linter {
  /// The smallest number of uses in a catalogue that justifies a word of the case language.
  static let fewestUses = 3
  /// For a catalogue with fewer cases, lint reports neither rare words nor unused parts of the protocol.
  static let fewestCases = 30

  /// Rules about the case language: they find words, states and assumptions that too few cases use.
  static let vocabularyRules = [
    LintRule("unused-state", "Each state is the beginning of a case, or a case does its steps.", severity: .warning) {
      subject in
      let used = Set(
        subject.scenarios.flatMap { scenario in
          scenario.scenario.given.map(\.state)
            + scenario.steps.compactMap { if case .perform(let name, _) = $0.step.action { name } else { nil } }
        })
      return subject.sources.states.filter { !used.contains($0.value.name) }.map {
        $0.finding(at: "state", expected: "a case that begins in '\($0.value.name)' or does it", found: "none")
      }
    },
    LintRule("unused-assumption", "At least two cases name each assumption.", severity: .warning) { subject in
      let lists = subject.sources.cases.compactMap { $0.document.value[$0.path.appending(key: "assumes")]?.array }
      let uses = Dictionary(lists.flatMap { Set($0.compactMap(\.string)) }.map { ($0, 1) }, uniquingKeysWith: +)
      return subject.sources.assumptions.filter { uses[$0.value.name, default: 0] < 2 }.map {
        $0.finding(
          expected: "two cases that assume '\($0.value.name)'", found: uses[$0.value.name] == nil ? "none" : "one")
      }
    },
    LintRule(
      "rare-word", "A word of the case language is used \(fewestUses) times or more, or not at all.",
      severity: .warning
    ) { subject in
      guard subject.sources.cases.count >= fewestCases else { return [] }
      let uses = Dictionary(grouping: subject.wordUses, by: \.word)
      return uses.values.compactMap { uses in
        let places = Set(uses.map(\.place))
        guard let first = uses.first, places.count < fewestUses else { return nil }
        return LintFinding(
          in: first.document, at: first.path,
          expected: "the \(first.word.kind.rawValue) '\(first.word.text)' in \(fewestUses) places or more",
          found: places.count == 1 ? "one" : "\(places.count)",
          hint: "say it with the words that other cases use")
      }
    },
  ]
}

/// A word of the case language.
private struct Word: Hashable {
  /// The vocabulary to which a word belongs.
  enum Kind: String {
    case step, assertion = "claim", constraint = "operator", fault
  }

  var kind: Kind
  var text: String
}

/// A word and its place.
private struct WordUse {
  var word: Word
  var document: SpecDocument
  var path: JSONPath

  /// The file and path of the word, which are the same for all rows of a table.
  var place: String { "\(document.file) \(path)" }
}

extension LintSubject {
  /// Every word of every case, state and fixture.
  fileprivate var wordUses: [WordUse] {
    let cases = scenarios.flatMap { scenario in
      scenario.words.map { WordUse(word: $0.value, document: scenario.located.document, path: $0.path) }
    }
    let states = sources.states.flatMap { located in
      located.value.precondition.words(at: located.path).map {
        WordUse(word: $0.value, document: located.document, path: $0.path)
      }
    }
    let exchanges = sources.exchanges.flatMap { located in
      located.value.templates.flatMap(\.words).map {
        WordUse(word: $0.value, document: located.document, path: $0.path)
      }
    }
    let models = sources.models.flatMap { located in
      Sited(located.value.template, at: JSONPath([.key("template")])).words.map {
        WordUse(word: $0.value, document: located.document, path: $0.path)
      }
    }
    return cases + states + exchanges + models
  }
}

extension ScenarioSite {
  /// The words that the case itself contains, without the words of its states. Each state is counted only once.
  fileprivate var words: [Sited<Word>] {
    steps.filter { !$0.isShared }.flatMap(\.words)
      + assertions.filter { !$0.isShared }.flatMap { $0.assertion.words(at: $0.path) }
  }
}

extension Case.Precondition {
  fileprivate func words(at path: JSONPath) -> [Sited<Word>] {
    ScenarioSite.sites(of: steps, at: path.appending(key: "steps")).filter { !$0.isShared }.flatMap(\.words)
      + holds.enumerated().flatMap { index, assertion in
        assertion.words(at: path.appending(key: "holds").appending(index: index))
      }
  }
}

extension ScenarioSite.StepSite {
  fileprivate var words: [Sited<Word>] {
    var words = [Sited(Word(kind: .step, text: step.action.word), at: path)]
    if case .fault(let fault) = step.action {
      words.append(Sited(Word(kind: .fault, text: fault.kind.word), at: path.appending(key: "fault")))
    }
    return words + (renderedTemplates + matchedTemplates).flatMap(\.words)
  }
}

extension Claim.Assertion {
  fileprivate func words(at path: JSONPath) -> [Sited<Word>] {
    var inner: [Sited<Word>] = []
    if case .anyOf(let assertions) = self {
      inner = assertions.enumerated().flatMap { index, assertion in
        assertion.words(at: path.appending(key: word).appending(index: index))
      }
    } else {
      inner = templates(at: path).flatMap(\.words)
    }
    return [Sited(Word(kind: .assertion, text: word), at: path.appending(key: word))] + inner
  }
}

extension Sited<Template> {
  /// The operators in the template, such as `$like`.
  fileprivate var words: [Sited<Word>] {
    value.source.operators(at: path).map { Sited<Word>(Word(kind: .constraint, text: $0.value), at: $0.path) }
  }
}

extension JSON {
  fileprivate func operators(at path: JSONPath) -> [Sited<String>] {
    switch self {
    case .null, .bool, .number, .string: return []
    case .array(let elements):
      return elements.enumerated().flatMap { $0.element.operators(at: path.appending(index: $0.offset)) }
    case .object(let object):
      return object.members.flatMap { member -> [Sited<String>] in
        let place = path.appending(key: member.key)
        let own = Self.operatorWords.contains(member.key) ? [Sited(member.key, at: place)] : []
        return own + member.value.operators(at: place)
      }
    }
  }

  private static let operatorWords = Set(Template.operatorWords)
}
