import Synchronization

/// The regular expressions of schemas and templates, each compiled once in a process.
///
/// Compiling one costs more than hundreds of matches. `Regex` cannot cross tasks, so each is used under a lock.
package enum SharedRegex {
  private typealias Shelf = Mutex<[String: Regex<AnyRegexOutput>]>

  private static let byScalars = Shelf([:])
  private static let byCharacters = Shelf([:])

  /// Whether this is a regular expression.
  package static func isValid(_ pattern: String) -> Bool { regex(pattern) != nil }

  /// How deep groups and classes may lie in each other: `Regex` reads them by recursion, and a pattern of a file that is
  /// deep enough would end the process.
  private static let deepest = 32

  private static func regex(_ pattern: String) -> Regex<AnyRegexOutput>? {
    var open: [Character] = []
    var isEscaped = false
    for character in pattern {
      defer { isEscaped = !isEscaped && character == "\\" }
      switch character {
      case _ where isEscaped: break
      case "[": open.append("[")
      // Within a class they have no special meaning.
      case "(" where open.last != "[": open.append("(")
      case ")" where open.last == "(", "]" where open.last == "[": open.removeLast()
      default: break
      }
      if open.count > deepest { return nil }
    }
    return try? Regex(pattern)
  }

  /// Whether the pattern is found in the text, not anchored, over Unicode scalars and with the `\d` and `\w` of ECMA-262,
  /// as JSON Schema has it (draft 2020-12 §6.3.3).
  package static func finds(_ pattern: String, in text: String) -> Bool {
    byScalars.withLock { shelf in
      let regex =
        shelf[pattern]
        ?? regex(pattern)?.matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
      shelf[pattern] = regex
      return regex.map { text.firstMatch(of: $0) != nil } ?? false
    }
  }

  /// Whether the pattern describes the whole text.
  package static func matches(_ pattern: String, wholly text: String) -> Bool {
    byCharacters.withLock { shelf in
      let regex = shelf[pattern] ?? regex(pattern)
      shelf[pattern] = regex
      return regex.map { text.wholeMatch(of: $0) != nil } ?? false
    }
  }
}
