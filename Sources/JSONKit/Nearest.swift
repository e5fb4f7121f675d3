/// Finds the known name that was probably meant.
package enum Nearest {
  /// At most three of the known words, the nearest first: the words of ``spellings(of:in:)`` and, if the word has at
  /// least three characters, known words that contain it.
  package static func words(to word: String, in known: some Sequence<String>) -> [String] {
    ranked(to: word, in: known) { word.count >= 3 && $0.lowercased().contains(word.lowercased()) }
  }

  /// At most three of the known words that differ from the word by few edits, the nearest first. The limit is one edit
  /// for a word of up to three characters, and otherwise two edits or a third of the word's length, whichever is more.
  /// Empty for a word of one letter.
  package static func spellings(of word: String, in known: some Sequence<String>) -> [String] {
    word.count < 2 ? [] : ranked(to: word, in: known) { _ in false }
  }

  /// At most three known words: first those that differ by few edits, the nearest first, then those for which `alike`
  /// returns true.
  private static func ranked(
    to word: String, in known: some Sequence<String>, alike: (String) -> Bool
  ) -> [String] {
    // A text as long as a page is not a misspelt word, and would take minutes.
    guard word.utf8.count <= longestWord else { return [] }
    // `wiat` for `await`: a swap and a letter that is missing.
    let limit = max(word.count > 3 ? 2 : 1, word.count / 3)
    let ranked = known.compactMap { candidate -> (distance: Int, word: String)? in
      let distance = distance(word.lowercased(), candidate.lowercased())
      if distance <= limit { return (distance, candidate) }
      return alike(candidate) ? (limit + 1, candidate) : nil
    }
    return ranked.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(3).map(\.word)
  }

  private static let longestWord = 200

  /// The advice for an unknown word, such as `did you mean "refuse"?`. nil if all known words are too different.
  package static func suggestion(for word: String, in known: some Sequence<String>) -> String? {
    words(to: word, in: known).first.map { "did you mean \"\($0)\"?" }
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words.
  package static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      before = last
      last = next
    }
    return last[right.count]
  }
}
