import JSONKit

/// An error that the user of the command can correct.
package struct BadInput: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// An unknown word. `conform list` shows the known ones, or `conform --help` if there is no list.
  package static func unknown(_ what: String, _ word: String, _ known: [String], list: String?) -> BadInput {
    let near = Nearest.words(to: word, in: known)
    let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    let all = list.map { "conform list \($0)" } ?? "conform --help"
    return BadInput("unknown \(what) '\(word)'\(hint) ('\(all)' shows all)")
  }
}
