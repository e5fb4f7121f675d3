/// A value in a document, with its path. The code that reads the kit's formats uses fields, so that each error names
/// the path of the value.
package struct JSONField: Sendable {
  /// The error for an invalid value in a format of the kit.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: JSONPath
    package var expected: String
    package var found: String
    /// A suggestion to correct the value, such as `did you mean "refuse"?`; nil without a suggestion.
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

  /// The place of a value: a step from its parent's place. The complete path is built only on request, since it is only
  /// needed for errors.
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

  /// The error that this value is not as expected.
  package func problem(expected: String) -> Problem {
    Problem(path: path, expected: expected, found: value.excerpt)
  }

  /// The error that this value is not one of the given words, with the nearest word as a hint.
  package func problem(expectedOneOf words: [String]) -> Problem {
    var result = problem(expected: "one of " + words.joined(separator: ", "))
    result.hint = value.string.flatMap { Nearest.suggestion(for: $0, in: words) }
    return result
  }

  /// The member with this key. Throws if it is absent or the value is not an object.
  package func required(_ key: String) throws(Problem) -> JSONField {
    guard let object = value.object else { throw problem(expected: "an object") }
    guard let member = object[key] else {
      throw Problem(path: path.appending(key: key), expected: "a value", found: "nothing")
    }
    return JSONField(member, at: .key(key, of: place))
  }

  /// The member with this key; nil if it is absent or null.
  package func optional(_ key: String) -> JSONField? {
    guard let member = value[key], !member.isNull else { return nil }
    return JSONField(member, at: .key(key, of: place))
  }

  /// The elements of an array. Throws if the value is not an array.
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

  /// The value of a number as a double. Throws if the number is beyond the range of doubles.
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

  /// The enumeration's case that the text names. Throws with a suggestion if the text names no case.
  package func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) throws(Problem) -> Word
  where Word.RawValue == String {
    guard let string = value.string, let word = Word(rawValue: string) else {
      throw problem(expectedOneOf: Word.allCases.map(\.rawValue))
    }
    return word
  }
}

extension JSON {
  /// The value for an error message: compact JSON, truncated to 120 characters.
  package var excerpt: String {
    let text = compactText
    // A text has at most as many characters as bytes, and the count of bytes is cheap.
    if text.utf8.count <= 120 { return text }
    return text.count <= 120 ? text : text.prefix(117) + "..."
  }
}
