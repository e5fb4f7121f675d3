/// Splits a command line into words by the quoting rules of a shell. It supports no other syntax of a shell.
struct CommandLineSplitter {
  /// A word, and the position of its first quoted character.
  struct Word: Hashable {
    var text = ""
    /// The number of characters before the first quoted character; nil if no character is quoted.
    var plainPrefix: Int?

    /// The name and the value of a word such as `NAME=value`; nil for any other word, or if the name or `=` is quoted.
    var assignment: (name: String, value: String)? {
      guard let equals = text.firstIndex(of: "="), let first = text.first, first.isLetter || first == "_" else {
        return nil
      }
      let name = text[..<equals]
      let isPlain = plainPrefix.map { $0 > name.count } ?? true
      guard isPlain, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else { return nil }
      return (String(name), String(text[text.index(after: equals)...]))
    }
  }

  /// The characters that have a meaning in a shell. A command must quote such characters.
  private static let shellSyntax: Set<Character> = ["|", "&", ";", "<", ">", "(", ")", "$", "`"]

  private let characters: [Character]
  private var position = 0

  init(_ text: String) { characters = Array(text) }

  mutating func words() throws(ProgramFailure) -> [Word] {
    var words: [Word] = []
    while true {
      while position < characters.count, characters[position].isWhitespace { position += 1 }
      guard position < characters.count else { return words }
      words.append(try word())
    }
  }

  private mutating func word() throws(ProgramFailure) -> Word {
    var word = Word()
    if characters[position] == "~" { throw failure("'~' is not a home folder here: write the path in full") }
    while position < characters.count, !characters[position].isWhitespace {
      let character = characters[position]
      switch character {
      case "'", "\"":
        word.plainPrefix = word.plainPrefix ?? word.text.count
        word.text += try quoted(by: character)
      case "\\":
        word.plainPrefix = word.plainPrefix ?? word.text.count
        guard position + 1 < characters.count else {
          throw failure("a backslash ends the command, with nothing to keep")
        }
        word.text.append(characters[position + 1])
        position += 2
      case "\0": throw failure("a NUL character cannot be part of a command")
      case _ where Self.shellSyntax.contains(character):
        throw failure(
          "'\(character)' means something to a shell only, and no shell runs this: quote it, or use sh -c '…'")
      default:
        word.text.append(character)
        position += 1
      }
    }
    return word
  }

  private mutating func quoted(by quote: Character) throws(ProgramFailure) -> String {
    let start = position
    var text = ""
    position += 1
    while position < characters.count, characters[position] != quote {
      if characters[position] == "\0" { throw failure("a NUL character cannot be part of a command") }
      let isEscape =
        quote == "\"" && characters[position] == "\\" && position + 1 < characters.count
        && ["\"", "\\"].contains(characters[position + 1])
      if isEscape { position += 1 }
      text.append(characters[position])
      position += 1
    }
    guard position < characters.count else {
      position = start
      throw failure("the quote \(quote) is never closed")
    }
    position += 1
    return text
  }

  private func failure(_ problem: String) -> ProgramFailure {
    ProgramFailure(.command, "in the command '\(String(characters))', character \(position + 1): \(problem)")
  }

  /// The word, in single quotes if it needs quotes.
  static func quote(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:,+@%=".contains($0)) }
    // A plain word with `=` at the beginning of a command would be read as a variable.
    if isPlain, !word.isEmpty, !word.contains("=") { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
