import ArgumentParser
import ConformanceModel
import ConformanceRunner

/// Completes the names of a protocol in a shell: cases, requirements, defects and other values of options.
enum NameCompletion {
  /// The completion of an option that takes names of this kind, separated by commas.
  static func of(_ kind: CatalogueNameKind) -> CompletionKind {
    .custom { (words: [String], _: Int, typed: String) async -> [String] in
      guard let catalogue = await catalogue(of: words) else { return [] }
      let start = typed.lastIndex(of: ",").map { typed.index(after: $0) } ?? typed.startIndex
      return kind.names(in: catalogue).filter { $0.hasPrefix(typed[start...]) }.map { typed[..<start] + $0 }
    }
  }

  /// The catalogue that the words of a command line select. It is nil if the catalogue cannot be read, because a
  /// completion cannot show an error.
  private static func catalogue(of words: [String]) async -> Catalogue? {
    func value(of option: String) -> String? {
      zip(words, words.dropFirst()).reversed().first { $0.0 == option }.map(\.1)
    }
    var arguments: [String] = []
    for option in ["--protocol", "--root", "--pack"] {
      if let value = value(of: option) { arguments += [option, value] }
    }
    guard let options = try? CatalogueOptions.parse(arguments) else { return nil }
    return try? await options.source().catalogue()
  }
}
