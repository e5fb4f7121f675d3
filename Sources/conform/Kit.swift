import ConformanceSpec

/// This kit, by name and version.
enum Kit {
  static let name = "conform 0.2.0"

  /// The kit, and on a line each the protocols in reach with the digest that their records carry: what a report of
  /// another machine was made with can be held against it.
  static var version: TerminalText {
    let packs: [String]
    do {
      packs = try SourceOptions.parse([]).known().map { source in
        "\(source.name) sha256:\(CatalogueLoader(source.folder).digest(of: source.name)) (\(source.place))"
      }
    } catch {
      packs = ["no protocols: \(error)"]
    }
    return .lines(([name] + packs.map(\.visibleOnOneLine)).joined(separator: "\n"))
  }
}
