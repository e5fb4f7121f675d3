extension String {
  /// Whether this text comes before the other text in an order that compares consecutive digits as numbers: `P-2`
  /// precedes `P-10`.
  package func precedesByNumber(_ other: String) -> Bool {
    for (left, right) in zip(numberedParts, other.numberedParts) where left != right {
      if let one = Int(left), let two = Int(right), one != two { return one < two }
      return left < right
    }
    return numberedParts.count < other.numberedParts.count
  }

  /// The text, split where digits begin or end.
  private var numberedParts: [String] {
    reduce(into: []) { parts, character in
      let isDigit = character.isASCII && character.isNumber
      if let last = parts.last?.last, (last.isASCII && last.isNumber) == isDigit {
        parts[parts.count - 1].append(character)
      } else {
        parts.append(String(character))
      }
    }
  }
}
