import Foundation
import Testing

/// A copy of the program without the files that were beside it in the build.
@Suite struct MovedProgramTests {
  private let folder: Scratch

  init() throws {
    folder = try Scratch()
    try FileManager.default.copyItem(atPath: Command.buildFolder + "/conform", toPath: folder.file("conform"))
  }

  private static let data = "conform_ConformanceData.resources"

  private func conform(_ arguments: [String]) async throws -> Command.Result {
    try await Command(in: folder).shell((["./conform"] + arguments).joined(separator: " "))
  }

  /// The data of another build is not used.
  @Test func withoutItsDataItSaysWhereItLooked() async throws {
    let result = try await conform(["list", "dialects"])
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(folder.file(Self.data)), "\(result.errors)")
    #expect(result.errors.contains("--root"))
  }

  /// If only the command was built, the message names the other program to build.
  @Test(arguments: [
    ("linkforty", "sdk", "linkforty-adapter", "--sdk"), ("sentiance", "backend", "sentiance-backend", "--backend"),
  ])
  func withoutAReferenceItSaysWhatIsMissing(pack: String, role: String, program: String, option: String) async throws {
    try FileManager.default.copyItem(atPath: Command.buildFolder + "/" + Self.data, toPath: folder.file(Self.data))
    let result = try await conform(["run", "--protocol", pack, "--role", role, "--output", "report"])
    #expect(result.code == 2)
    #expect(result.errors.contains(program) && result.errors.contains("bin/conform"), "\(result.errors)")
    #expect(result.errors.contains(option))
  }

  @Test func itsDataMovesWithIt() async throws {
    try FileManager.default.copyItem(
      atPath: Command.buildFolder + "/" + Self.data, toPath: folder.file(Self.data))
    let rules = Self.data + "/spec/linkforty/requirements"
    let file = try #require(try folder.names(in: rules).first)
    let text = try folder.text("\(rules)/\(file)")
    try folder.write("\(rules)/\(file)", text.replacing("  text: ", with: "  text: Moved. ", maxReplacements: 1))
    let result = try await conform(["list", "requirements"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("\tMoved. "))
  }

  /// A catalogue that was clean is validated again with a changed schema.
  @Test func itsSchemasMoveWithIt() async throws {
    try FileManager.default.copyItem(atPath: Command.buildFolder + "/" + Self.data, toPath: folder.file(Self.data))
    let list = "XDG_CACHE_HOME=\(folder.file("cache")) ./conform list dialects"
    #expect(try await Command(in: folder).shell(list).code == 0)
    let schema = #"{ "type": "object", "required": ["nothing-has-this"] }"#
    try folder.write(Self.data + "/spec/schema/cases.schema.json", schema)
    let result = try await Command(in: folder).shell(list)
    #expect(result.code == 2)
    #expect(result.errors.contains("nothing-has-this"))
  }
}
