/// A value with the path that led to it, for reading formats of the kit with errors that name the place.
package struct JSONField: Sendable {
  /// The problem of a value in a format of the kit.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: JSONPath
    package var expected: String
    package var found: String
    /// The remedy, if the kit knows one: `did you mean "refuse"?`.
    package var hint: String?

    package init(path: JSONPath, expected: String, found: String, hint: String? = nil) {
      self.path = path
      self.expected = expected
      self.found = found
      self.hint = hint
    }

    package var description: String {
      "\(path): expected \(expected), found \(found)" + (hint.map { " \u{2014} \($0)" } ?? "")
    }
  }

  /// The place of a value, as a step from its parent. The path is built only on request, since most values never need
  /// it.
  private indirect enum Place: Sendable {
    case path(JSONPath)
    case key(String, of: Place)
    case index(Int, of: Place)

    var path: JSONPath {
      switch self {
      case .path(let path): path
      case .key(let key, let parent): parent.path.appending(key: key)
      case .index(let index, let parent): parent.path.appending(index: index)
      }
    }
  }

  package let value: JSON
  private let place: Place

  package init(_ value: JSON, path: JSONPath = .root) { self.init(value, at: .path(path)) }

  private init(_ value: JSON, at place: Place) {
    self.value = value
    self.place = place
  }

  /// The path from the outermost value.
  package var path: JSONPath { place.path }

  /// The problem that this value is not the expected one.
  package func problem(expected: String) -> Problem {
    Problem(path: path, expected: expected, found: value.excerpt)
  }

  /// The problem that this value is not a word of a closed set, with the nearest word as a hint.
  package func problem(expectedOneOf words: [String]) -> Problem {
    var result = problem(expected: "one of " + words.joined(separator: ", "))
    result.hint = value.string.flatMap { Nearest.suggestion(for: $0, in: words) }
    return result
  }

  /// The member. Throws if it is absent.
  package func required(_ key: String) throws(Problem) -> JSONField {
    guard let object = value.object else { throw problem(expected: "an object") }
    guard let member = object[key] else {
      throw Problem(path: path.appending(key: key), expected: "a value", found: "nothing")
    }
    return JSONField(member, at: .key(key, of: place))
  }

  /// The member; nil if it is absent or null.
  package func optional(_ key: String) -> JSONField? {
    guard let member = value[key], !member.isNull else { return nil }
    return JSONField(member, at: .key(key, of: place))
  }

  /// The elements of an array.
  package func elements() throws(Problem) -> [JSONField] {
    guard let elements = value.array else { throw problem(expected: "an array") }
    return elements.enumerated().map { JSONField($0.element, at: .index($0.offset, of: place)) }
  }

  /// The members of an object, in order.
  package func members() throws(Problem) -> [(key: String, field: JSONField)] {
    guard let object = value.object else { throw problem(expected: "an object") }
    return object.members.map { ($0.key, JSONField($0.value, at: .key($0.key, of: place))) }
  }

  /// The text of a string.
  package func string() throws(Problem) -> String {
    guard let string = value.string else { throw problem(expected: "a string") }
    return string
  }

  /// The value of an integral number.
  package func int() throws(Problem) -> Int {
    guard let int = value.int else { throw problem(expected: "an integer") }
    return int
  }

  /// The value of a number that a double can represent.
  package func double() throws(Problem) -> Double {
    guard let number = value.number else { throw problem(expected: "a number") }
    guard number.double.isFinite else { throw problem(expected: "a number up to \(Double.greatestFiniteMagnitude)") }
    return number.double
  }

  /// The truth value of a boolean.
  package func bool() throws(Problem) -> Bool {
    guard let bool = value.bool else { throw problem(expected: "true or false") }
    return bool
  }

  /// An array of strings.
  package func strings() throws(Problem) -> [String] {
    guard let elements = value.array else { throw problem(expected: "an array") }
    var result: [String] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      guard let string = element.string else {
        throw JSONField(element, at: .index(index, of: place)).problem(expected: "a string")
      }
      result.append(string)
    }
    return result
  }

  /// One of a closed set of words.
  package func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) throws(Problem) -> Word
  where Word.RawValue == String {
    guard let string = value.string, let word = Word(rawValue: string) else {
      throw problem(expectedOneOf: Word.allCases.map(\.rawValue))
    }
    return word
  }
}

extension JSON {
  /// The value in the form for a sentence: compact, cut at 120 characters.
  package var excerpt: String {
    let text = compactText
    // A text has at most as many characters as bytes, and the count of bytes is cheap.
    if text.utf8.count <= 120 { return text }
    return text.count <= 120 ? text : text.prefix(117) + "..."
  }
}
