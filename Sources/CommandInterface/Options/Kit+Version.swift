import ConformanceSpec
import TextKit

extension Kit {
  /// The version of the kit, and one line for each available protocol, with the protocol's digest. A record contains
  /// the digest of its protocol. So a person can compare the digests, and see whether a report from another machine
  /// used the same files of the protocol.
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
