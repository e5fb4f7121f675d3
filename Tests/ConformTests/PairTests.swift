import ConformanceModel
import ConformanceVerdict
import Foundation
import Testing

/// An SDK and a server together: the examples in JavaScript, whole and with defects, and a server that stops answering.
@Suite struct PairTests {
  private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples").path

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private static func sdk(_ defect: String? = nil) -> String {
    let variables = defect.map { "CONFORM_DEFECT=\($0)" } ?? ""
    return "env \(variables) node '\(examples)/javascript/adapter.mjs'"
  }

  /// Writes the provisioning file of the example, for its server with a defect. Returns the name of the file.
  private func server(_ defect: String? = nil) throws -> String {
    let example = try String(contentsOfFile: Self.examples + "/javascript-server/provisioning.yaml", encoding: .utf8)
    let variable = defect.map { "environment: { CONFORM_DEFECT: \($0), " } ?? "environment: { "
    let text = example.replacing("main.mjs", with: "'\(Self.examples)/javascript-server/main.mjs'")
      .replacing("environment: { ", with: variable)
    try folder.write("server.yaml", text)
    return "server.yaml"
  }

  private func run(_ sdk: String, _ server: [String], _ cases: [String]) async throws -> (Command.Result, RunRecord) {
    let result = try await conform.run(
      ["run", "--quiet", "--sdk", sdk] + server + cases.flatMap { ["--case", $0] })
    return (result, try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")))
  }

  private static func failures(_ record: RunRecord) -> Set<RequirementID> {
    Set(record.rulings.filter { $0.disposition == .fail }.map(\.requirement))
  }

  @Test func theExamplesConformTogether() async throws {
    let (result, record) = try await run(
      Self.sdk(), ["--server-file", try server()], ["pair.install", "pair.event", "pair.link.deferred"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(record.subjects.map(\.role) == ["sdk", "server"])
    #expect(Set(record.cases.map(\.role)) == ["pair"])
    #expect(Set(record.rulings.map(\.rule.role)) == ["sdk", "server"])
    #expect(result.output.contains("cases of the SDK that only a mock server can serve"), "\(result.output)")
    #expect(record.header.leftOut["answer"] ?? 0 > 0)
    let junit = try folder.text("conform-report/junit.xml")
    #expect(junit.contains("classname=\"linkforty.sdk.evt\"") && junit.contains("classname=\"linkforty.server.evt\""))
    for name in try folder.names(in: "conform-report/evidence") {
      #expect(try !folder.text("conform-report/evidence/\(name)").contains("lf_key_0123456789abcdef"))
    }
  }

  @Test func aDefectOfTheSDKIsBlamedOnTheSDK() async throws {
    let (result, record) = try await run(
      Self.sdk("event.values-as-text"), ["--server-file", try server()], ["pair.event"])
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(Self.failures(record) == ["LF-EVT-004"])
  }

  @Test func aDefectOfTheServerIsBlamedOnTheServer() async throws {
    let (result, record) = try await run(
      Self.sdk(), ["--server-file", try server("install.id-is-a-number")], ["pair.install"])
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(Self.failures(record) == ["LFS-INS-001"])
  }

  /// The first answer is that to the check whether a server is there.
  @Test func aServerThatStopsAnsweringIsNotTheFaultOfTheSDK() async throws {
    let port = try HostileServerTests.Port(answering: HostileServerTests.answer("200 OK", []), times: 1)
    let (result, record) = try await run(
      Self.sdk(), ["--server", "http://127.0.0.1:\(port.number)"], ["pair.install"])
    #expect(result.code == 3, "\(result.output)\(result.errors)")
    #expect(Self.failures(record).isEmpty)
    let evidence = try folder.text("conform-report/evidence/pair.install@spec.jsonl")
    #expect(evidence.contains("the server gave no answer to POST"), "\(evidence)")
  }

  @Test func casesWithoutTheirHookAreSkipped() async throws {
    try folder.write(
      "server.yaml",
      try String(contentsOf: URL(filePath: folder.file(server())), encoding: .utf8)
        .split(separator: "hooks:")[0] + "")
    let (result, record) = try await run(
      Self.sdk(), ["--server-file", "server.yaml"], ["pair.install", "pair.link.direct"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let skipped = record.rulings.filter { $0.disposition == .skipped }
    #expect(Set(skipped.map(\.instance.id)) == ["pair.link.direct"])
    #expect(result.output.contains("hooks.createLink"), "\(result.output)")
  }
}
