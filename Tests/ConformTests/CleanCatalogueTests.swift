import Foundation
import Testing

/// A clean catalogue is not validated again, and a changed one is.
@Suite struct CleanCatalogueTests {
  private static func scratch() throws -> Scratch {
    let folder = try Scratch()
    for name in ["spec", "Fixtures"] {
      try FileManager.default.copyItem(
        atPath: Command.buildFolder + "/conform_ConformanceData.resources/" + name, toPath: folder.file(name))
    }
    return folder
  }

  private static func list(_ folder: Scratch) async throws -> Command.Result {
    try await Command(in: folder).run(
      ["list", "cases", "--root", "."], environment: ["XDG_CACHE_HOME": folder.file("cache")])
  }

  private static func remembered(_ folder: Scratch) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.file("cache")).filter { path in
      path.split(separator: "/").count == 4
    }
  }

  @Test func whatWasCleanIsRememberedByItsBytes() async throws {
    let folder = try Self.scratch()
    let first = try await Self.list(folder)
    #expect(first.code == 0, "\(first.errors)")
    #expect(try Self.remembered(folder).count == 1)
    let second = try await Self.list(folder)
    #expect(second.output == first.output)
    #expect(try Self.remembered(folder).count == 1)
    try folder.write("spec/linkforty/cases/broken.yaml", "kit: 2\ncases:\n  - { case: broken.case, tilte: T }\n")
    let broken = try await Self.list(folder)
    #expect(broken.code == 2)
    #expect(broken.errors.contains("spec/linkforty/cases/broken.yaml:3"))
    #expect(try Self.remembered(folder).count == 1)
  }

  /// A catalogue may bring schemas of its own, but those of the program are used.
  @Test func theSchemasOfARootSayNothing() async throws {
    let folder = try Self.scratch()
    try folder.write("spec/schema/cases.schema.json", #"{ "type": "object", "required": ["nothing-has-this"] }"#)
    #expect(try await Self.list(folder).code == 0)
  }

  @Test func aCacheThatCannotBeWrittenStopsNobody() async throws {
    let folder = try Self.scratch()
    try folder.write("cache", "a file")
    #expect(try await Self.list(folder).code == 0)
  }
}
