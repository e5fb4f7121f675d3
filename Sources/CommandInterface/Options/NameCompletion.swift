import ArgumentParser
import ConformanceModel
import ConformanceRunner

/// Completes names in a shell: the cases, requirements and defects of a protocol, and other names that options accept.
package enum NameCompletion {
  /// The completion of an option that takes names of this kind, separated by commas.
  package static func of(_ kind: CatalogueNameKind) -> CompletionKind { names { kind.names(in: $0) } }

  /// The completion of an option that takes the positions of the kit, separated by commas.
  static let positions = names { $0.positions.map(\.id.rawValue) }

  /// The completion of an argument that takes any name that `conform explain` explains.
  package static let explained = names { catalogue in
    CatalogueNameKind.allCases.flatMap { $0.names(in: catalogue) } + catalogue.positions.map(\.id.rawValue)
      + catalogue.exchanges.map(\.name)
  }

  /// The completion of an option that takes the name of a protocol.
  static let protocols = CompletionKind.custom { (words: [String], _: Int, typed: String) -> [String] in
    let known = (try? options(of: words, besides: "--protocol")?.sourceOptions.known()) ?? []
    return known.map(\.name).filter { $0.hasPrefix(typed) }
  }

  /// The completion of an option that takes these names of a catalogue, separated by commas.
  private static func names(_ names: @escaping @Sendable (Catalogue) -> [String]) -> CompletionKind {
    .custom { (words: [String], _: Int, typed: String) async -> [String] in
      guard let catalogue = await catalogue(of: words) else { return [] }
      let start = typed.lastIndex(of: ",").map { typed.index(after: $0) } ?? typed.startIndex
      return names(catalogue).filter { $0.hasPrefix(typed[start...]) }.map { typed[..<start] + $0 }
    }
  }

  /// The catalogue that the words of a command line select. It is nil if the catalogue cannot be read, because a
  /// completion cannot show an error.
  private static func catalogue(of words: [String]) async -> Catalogue? {
    guard let options = options(of: words) else { return nil }
    return try? await options.source().catalogue()
  }

  /// The options of a command line that name the catalogue. The option whose value is being typed is left out. Nil if
  /// the options are invalid.
  private static func options(of words: [String], besides typed: String? = nil) -> CatalogueOptions? {
    func value(of option: String) -> String? {
      zip(words, words.dropFirst()).reversed().first { $0.0 == option }.map(\.1)
    }
    var arguments: [String] = []
    for option in ["--protocol", "--root", "--pack"] where option != typed {
      if let value = value(of: option) { arguments += [option, value] }
    }
    return try? CatalogueOptions.parse(arguments)
  }
}
