import JSONKit

/// An error in the input of a command, which the user of the command can correct.
package struct BadInput: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The error that a word of a command line is unknown. Its text names the command that shows the known words:
  /// `conform list` with the word `list`, or `conform --help` if `list` is nil.
  package static func unknown(_ what: String, _ word: String, _ known: [String], list: String?) -> BadInput {
    unknown(what, word, known, shownBy: list.map { "conform list \($0)" } ?? "conform --help")
  }

  /// The error that a word of a command line is unknown. Its text names `command`, which shows all known words.
  package static func unknown(_ what: String, _ word: String, _ known: [String], shownBy command: String) -> BadInput {
    let near = Nearest.words(to: word, in: known)
    let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    return BadInput("unknown \(what) '\(word)'\(hint) ('\(command)' shows all)")
  }
}
