import Synchronization

/// The regular expressions of schemas and templates, each compiled once in a process.
///
/// Compiling a regular expression takes longer than hundreds of matches. `Regex` is not `Sendable`, so each is used
/// under a lock.
package enum SharedRegex {
  private typealias Shelf = Mutex<[String: Regex<AnyRegexOutput>]>

  private static let byScalars = Shelf([:])
  private static let byCharacters = Shelf([:])

  /// Whether this is a regular expression.
  package static func isValid(_ pattern: String) -> Bool { regex(pattern) != nil }

  /// The largest number of levels to which groups and classes may be nested. `Regex` parses them recursively, so a more
  /// deeply nested pattern from a file could overflow the stack and end the process.
  private static let deepest = 32

  private static func regex(_ pattern: String) -> Regex<AnyRegexOutput>? {
    var open: [Character] = []
    var isEscaped = false
    for character in pattern {
      defer { isEscaped = !isEscaped && character == "\\" }
      switch character {
      case _ where isEscaped: break
      case "[": open.append("[")
      // Within a class, parentheses have no special meaning.
      case "(" where open.last != "[": open.append("(")
      case ")" where open.last == "(", "]" where open.last == "[": open.removeLast()
      default: break
      }
      if open.count > deepest { return nil }
    }
    return try? Regex(pattern)
  }

  /// Whether the pattern matches a part of the text. JSON Schema (draft 2020-12 §6.3.3) demands: the pattern is not
  /// anchored, it matches Unicode scalars, and `\d` and `\w` have their meanings of ECMA-262.
  package static func finds(_ pattern: String, in text: String) -> Bool {
    byScalars.withLock { shelf in
      let regex =
        shelf[pattern]
        ?? regex(pattern)?.matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
      shelf[pattern] = regex
      return regex.map { text.firstMatch(of: $0) != nil } ?? false
    }
  }

  /// Whether the pattern matches the whole text.
  package static func matches(_ pattern: String, wholly text: String) -> Bool {
    byCharacters.withLock { shelf in
      let regex = shelf[pattern] ?? regex(pattern)
      shelf[pattern] = regex
      return regex.map { text.wholeMatch(of: $0) != nil } ?? false
    }
  }
}
