/// The text of a source file in which comments and the contents of string literals are blank.
///
/// It knows the usual comments and literals of several families of languages, but does not parse any language. After an
/// unusual literal, the rest of the line may be wrong.
struct SourceCode {
  /// The lines, numbered from 1.
  private(set) var lines: [(number: Int, text: String)] = []

  /// How comments and string literals are written in a family of languages.
  private struct Family {
    var lineComments = ["//"]
    var blockComments = [("/*", "*/")]
    /// Delimiters of literals that cannot continue on the next line.
    var quotes: [Character] = ["\"", "'"]
    /// Delimiters of literals that may have several lines.
    var longQuotes = ["\"\"\""]
    /// The texts that begin an expression inside a literal, such as `${` in `"${name}"`.
    var expressions = ["${", "\\("]

    /// The family of a file by the extension of its name.
    init(_ suffix: Substring) {
      switch suffix {
      case "html", "vue":
        (quotes, longQuotes) = ([], [])
        blockComments.append(("<!--", "-->"))
      case "py": (lineComments, blockComments, longQuotes) = (["#"], [], ["\"\"\"", "'''"])
      case "rb": (lineComments, blockComments, longQuotes, expressions) = (["#"], [], [], ["#{"])
      case "php": lineComments.append("#")
      case "js", "jsx", "mjs", "ts", "tsx", "go": longQuotes = ["`"]
      case "dart": longQuotes.append("'''")
      // An apostrophe also begins a lifetime.
      case "rs": quotes = ["\""]
      default: break
      }
    }
  }

  /// The kind of a part that is replaced by blanks.
  private enum Blank {
    case comment(end: String)
    /// A literal. If `isLong` is true, it may have several lines.
    case literal(end: String, isLong: Bool)
  }

  /// Reads the lines of a file. The name of the file determines the language.
  init(_ lines: [(number: Int, text: String)], of name: String) {
    let family = Family(name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? "")
    /// `blank` is the comment or literal that has begun and not ended. `outer` contains each literal in which an
    /// expression has begun and not ended.
    var blank: Blank?
    var outer: [(literal: Blank, depth: Int)] = []
    for line in lines {
      if case .literal(_, false)? = blank { blank = nil }
      outer.removeAll { if case .literal(_, false) = $0.literal { true } else { false } }
      self.lines.append((line.number, Self.code(in: line.text, family, &blank, &outer)))
    }
  }

  private static func code(
    in line: String, _ family: Family, _ blank: inout Blank?, _ outer: inout [(literal: Blank, depth: Int)]
  ) -> String {
    var code = ""
    var rest = line[...]
    func take(_ word: String) -> Bool {
      guard !word.isEmpty, rest.hasPrefix(word) else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }
    while let first = rest.first {
      switch blank {
      case .comment(let end)?:
        if take(end) { blank = nil } else { rest = rest.dropFirst() }
      case .literal(let end, _)?:
        if take(end) {
          blank = nil
          code += end
        } else if let literal = blank, family.expressions.contains(where: take) {
          outer.append((literal, 0))
          blank = nil
          code += " "
        } else {
          rest = rest.dropFirst(first == "\\" ? 2 : 1)
        }
      case nil:
        if family.lineComments.contains(where: rest.hasPrefix) { return code }
        if let comment = family.blockComments.first(where: { take($0.0) }) {
          blank = .comment(end: comment.1)
        } else if let quote = family.longQuotes.first(where: take) {
          blank = .literal(end: quote, isLong: true)
          code += quote
        } else if family.quotes.contains(first), rest.dropFirst().contains(first) {
          blank = .literal(end: String(first), isLong: false)
          rest = rest.dropFirst()
          code.append(first)
        } else {
          if let last = outer.indices.last {
            if "{(".contains(first) { outer[last].depth += 1 }
            if "})".contains(first) { outer[last].depth -= 1 }
            if outer[last].depth < 0 { blank = outer.removeLast().literal }
          }
          code.append(first)
          rest = rest.dropFirst()
        }
      }
    }
    return code
  }
}
