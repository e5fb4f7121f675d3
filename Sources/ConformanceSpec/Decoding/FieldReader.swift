import JSONKit
import Templates

/// Reads values whose form a schema has validated, and collects the problems that a schema cannot find.
///
/// After a problem, a function returns nil or a substitute, and reading continues. So one pass reports all problems. If
/// there is a problem, none of the values may be used.
struct FieldReader {
  private(set) var problems: [JSONField.Problem] = []
  /// The named times, states and assumptions of the protocol.
  var vocabulary = CaseVocabulary()
  /// The states whose steps are being read now, the outermost first. A state is inside another one if a step of the
  /// other performs it with `do`.
  var performed: [String] = []

  init(_ vocabulary: CaseVocabulary = CaseVocabulary()) { self.vocabulary = vocabulary }

  mutating func report(_ problem: JSONField.Problem) { problems.append(problem) }

  /// Returns the result of `read`. If `read` throws a problem, collects it and returns nil.
  mutating func take<Value>(_ read: () throws(JSONField.Problem) -> Value) -> Value? {
    do {
      return try read()
    } catch {
      report(error.explained)
      return nil
    }
  }

  /// The text of a field; empty if the field is absent.
  mutating func text(_ field: JSONField?) -> String {
    guard let field else { return "" }
    return take { () throws(JSONField.Problem) in try field.string() } ?? ""
  }

  mutating func texts(_ field: JSONField?) -> [String] {
    guard let field else { return [] }
    return take { () throws(JSONField.Problem) in try field.strings() } ?? []
  }

  /// The largest integer that a file may contain. The product of two such numbers is far below the limit of `Int`.
  private static let largest = 1_000_000_000

  mutating func int(_ field: JSONField?) -> Int? {
    guard let field, let int = take({ () throws(JSONField.Problem) in try field.int() }) else { return nil }
    guard (-Self.largest...Self.largest).contains(int) else {
      report(field.problem(expected: "an integer of at most \(Self.largest)"))
      return nil
    }
    return int
  }

  mutating func bool(_ field: JSONField?, otherwise fallback: Bool) -> Bool {
    guard let field else { return fallback }
    return take { () throws(JSONField.Problem) in try field.bool() } ?? fallback
  }

  mutating func word<Word: RawRepresentable & CaseIterable>(_ field: JSONField?, otherwise fallback: Word) -> Word
  where Word.RawValue == String {
    guard let field else { return fallback }
    return take { () throws(JSONField.Problem) in try field.word(Word.self) } ?? fallback
  }

  mutating func time(_ field: JSONField?) -> LogicalTime {
    guard let field else { return .zero }
    if let text = field.value.string, let time = vocabulary.patience[text] ?? LogicalTime(text) { return time }
    guard vocabulary.isWhole || field.value.string?.first?.isLetter != true else { return .zero }
    var problem = field.problem(expected: "a time such as 800ms, 5s, 90m or 48h" + vocabulary.namedTimes).explained
    problem.hint =
      problem.hint ?? field.value.string.flatMap { Nearest.suggestion(for: $0, in: vocabulary.patience.keys) }
    report(problem)
    return .zero
  }

  mutating func path(_ field: JSONField) -> JSONPath {
    path(text(field), of: field)
  }

  mutating func path(_ text: String, of field: JSONField) -> JSONPath {
    if let path = JSONPath(text) { return path }
    report(.init(path: field.path, expected: "a path such as $.body.items[0].name", found: "'\(text)'"))
    return .root
  }

  mutating func elements(_ field: JSONField?) -> [JSONField] {
    guard let field else { return [] }
    return take { () throws(JSONField.Problem) in try field.elements() } ?? []
  }

  mutating func members(_ field: JSONField?) -> [(key: String, field: JSONField)] {
    guard let field else { return [] }
    return take { () throws(JSONField.Problem) in try field.members() } ?? []
  }

  /// A template. Reports all problems of the template, not only the first.
  mutating func template(_ field: JSONField?, otherwise fallback: JSON = [:]) -> Template {
    let field = field ?? JSONField(fallback)
    do throws(JSONField.Problem) {
      guard !field.value.holdsEndlessText else {
        throw (field.member("times") ?? field).problem(expected: "a text of at most 16 MiB")
      }
      return try Template(field)
    } catch {
      let known = problems.count
      for part in field.parts { _ = template(part) }
      if problems.count == known { report(error) }
      return Template(.literal(.null))
    }
  }

  mutating func optionalTemplate(_ field: JSONField?) -> Template? {
    field.map { template($0) }
  }
}

extension JSONField {
  /// The member with this name; nil if it is absent. If the value of the member is null, this function returns the
  /// member, while ``optional(_:)`` returns nil.
  package func member(_ key: String) -> JSONField? {
    value[key].map { JSONField($0, path: path.appending(key: key)) }
  }

  /// The first of these members that exists. The name of this member distinguishes the kinds of steps, claims and
  /// selectors.
  func firstMember(of words: some Sequence<String>) -> (word: String, field: JSONField)? {
    for word in words {
      if let field = member(word) { return (word, field) }
    }
    return nil
  }

  /// The members of an object, or the elements of a list.
  fileprivate var parts: [JSONField] { (try? elements()) ?? (try? members())?.map(\.field) ?? [] }
}

extension JSON {
  /// Whether the value contains a `{ $repeat: TEXT, times: N }` whose length in bytes overflows an integer.
  var holdsEndlessText: Bool {
    switch self {
    case .array(let elements): return elements.contains(where: \.holdsEndlessText)
    case .object(let object):
      if let text = object["$repeat"]?.string, let times = object["times"]?.int,
        times.multipliedReportingOverflow(by: max(1, text.utf8.count)).overflow
      {
        return true
      }
      return object.members.contains(where: \.value.holdsEndlessText)
    default: return false
    }
  }
}

extension JSONField.Problem {
  /// This problem. If its cause is a hole that only a row could fill, it gets the hint that no row contains a value for
  /// the hole.
  fileprivate var explained: Self {
    guard found.hasPrefix("\"${"), hint == nil else { return self }
    var result = self
    result.hint = "no row gives it a value"
    return result
  }
}
