import ConformanceSpec
import TextKit

extension Kit {
  /// The version of the kit, and one line with the digest of each available protocol. Records contain the same digests,
  /// so that a report from another machine can be compared with this kit.
  package static var version: TerminalText {
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
