import FoundationEssentials
import Testing

@testable import CommandInterface

/// The core names no protocol, so that it works the same way with any.
@Suite struct CoreNamesTests {
  private static let sources = "\(BeaconStation.repository)/Sources"
  /// The folders of the packs, and the data.
  private static let packs: Set<String> = [
    "LinkForty", "LinkFortyAdapter", "LinkFortyCore", "LinkFortyModel", "MobileEngage", "MobileEngageAdapter",
    "Sentiance", "SentianceAdapter",
    "SentianceBackend", "ConformanceData",
    // It starts with the packs' own files.
    "ConformFuzz",
  ]
  /// The file in which the command lists the packs.
  private static let list = "CommandInterface/Protocols/Packs.swift"
  /// The names of protocols, and of features that only one of them has, without spaces and hyphens.
  private static let names = ["linkforty", "emarsys", "mobileengage", "sentiance", "deeplink", "platformasdeclared"]

  /// The names in a text, each with its line.
  private func hits(in text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      let bare = line.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
      return Self.names.filter { bare.contains($0) }.map { "\(index + 1): \($0)" }
    }
  }

  @Test(arguments: [
    ("let a = 1\n/// As LinkForty has it.", ["2: linkforty"]), ("mobile-engage", ["1: mobileengage"]),
    ("\"$.deepLinkData\"", ["1: deeplink"]), ("a deep breath, a link", []),
  ])
  func aNameIsFound(text: String, found: [String]) {
    #expect(hits(in: text) == found)
  }

  @Test func noTargetOfTheCoreNamesAProtocol() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).sorted()
    let core = paths.filter { path in
      !Self.packs.contains(String(path.prefix { $0 != "/" })) && path != Self.list
        && [".swift", ".h", ".xsd", ".modulemap"].contains { path.hasSuffix($0) }
    }
    #expect(core.count > 200)
    let found = try core.flatMap { path in
      hits(in: try String(contentsOf: URL(filePath: "\(Self.sources)/\(path)"), encoding: .utf8)).map {
        "\(path):\($0)"
      }
    }
    #expect(found == [])
  }

  /// A protocol that is added to the data must be in the list of names.
  @Test func everyProtocolOfTheDataIsLookedFor() throws {
    let folder = "\(BeaconStation.repository)/spec"
    let protocols = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)/protocol.yaml")
    }
    #expect(!protocols.isEmpty)
    #expect(protocols.filter { !Self.names.contains($0.filter { $0 != "-" }) } == [])
  }
}
