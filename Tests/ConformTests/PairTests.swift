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

  /// An SDK of the examples, the services and values of the served reference that it needs, and cases of the pair.
  struct Served: CustomTestStringConvertible {
    var name: String
    var dialect: String
    var sdk: String
    var services: [String]
    var values: [String]
    var cases: [String]

    var testDescription: String { name }

    static let all = [
      Served(
        name: "linkforty", dialect: "spec", sdk: "node '\(PairTests.examples)/javascript/adapter.mjs'",
        services: ["api"],
        values: ["apiKey"], cases: ["pair.install", "pair.event", "pair.link.created"]),
      Served(
        name: "mobile-engage", dialect: "v3", sdk: "python3 '\(PairTests.examples)/mobile-engage-python/adapter.py'",
        services: ["client", "events"], values: ["applicationCode", "contactField", "contactA", "contactB"],
        cases: ["pair.first-start", "pair.sign-in", "pair.push.accepted"]),
      Served(
        name: "sentiance", dialect: "v2", sdk: "python3 '\(PairTests.examples)/sentiance-python/adapter.py'",
        services: ["platform", "sdk-api"], values: ["apiKey", "appId", "appSecret"],
        cases: ["pair.code", "pair.linker", "pair.restored"]),
    ]
  }

  /// The reference that `conform serve` starts for app developers is a server like any other.
  @Test(arguments: Served.all) func anExampleConformsWithTheServedReference(served: Served) async throws {
    let output = Pipe()
    let server = try conform.start(
      ["serve", "--protocol", served.name, "--dialect", served.dialect], output: .pipe(output), errors: .file("errors"))
    defer { server.signal(SIGTERM) }
    var rows: [String: String] = [:]
    for await line in ServeTests.lines(of: output) {
      let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
      if line.hasPrefix("  "), words.count == 2 { rows[words[0]] = words[1] }
      if line.hasPrefix("  reset ") { break }
    }
    func members(_ names: [String]) throws -> String {
      try names.map { "\($0): \"\(try #require(rows[$0], "\($0) of \(rows)"))\"" }.joined(separator: ", ")
    }
    try folder.write(
      "server.yaml",
      """
      kit: 2
      dialect: \(served.dialect)
      urls: { \(try members(served.services)) }
      values: { \(try members(served.values)) }

      """)
    let result = try await conform.run(
      ["run", "--protocol", served.name, "--quiet", "--sdk", served.sdk, "--server-file", "server.yaml"]
        + served.cases.flatMap { ["--case", $0] })
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(Set(record.cases.map(\.instance.id.rawValue)) == Set(served.cases))
    #expect(Set(record.rulings.map(\.rule.role)) == ["sdk", "server"])
    server.signal(SIGINT)
    #expect(await server.ending == .exited(code: 0))
  }

  /// A defect of the reference SDK, or of the reference server, and what it violates in a pair.
  @Test(
    arguments: [
      ("contact.field-as-text", "pair.sign-in", ["ME-CON-002"]),
      ("push.older-path", "pair.push", ["ME-PSH-001"]), ("state.not-with-events", "pair.event", ["ME-EVT-009"]),
      ("registration.no-state", "pair.first-start", ["ME-SRV-001"]),
      ("link.no-refresh-token", "pair.first-start", ["ME-SRV-015"]),
    ] as [(String, String, Set<RequirementID>)])
  func aDefectOfAReferenceIsItsOwn(defect: String, in name: String, violates: Set<RequirementID>) async throws {
    let result = try await conform.run(
      [
        "run", "--protocol", "mobile-engage", "--role", "pair", "--dialect", "v3", "--quiet", "--gate", "strict",
        "--case", name, "--defect", defect,
      ])
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    let violated = record.rulings.filter { ruling in
      if case .violates = ruling.verdict.outcome { true } else { false }
    }
    #expect(Set(violated.map(\.requirement)) == violates, "\(result.output)")
  }

  /// The mutation changes the messages of one subject of a chain.
  @Test func aDefectOfOneSubjectOfAChainTakesEffect() async throws {
    let chain = ["run", "--protocol", "sentiance", "--role", "chain", "--case", "chain.code", "--quiet"]
    #expect(try await conform.run(chain).code == 0)
    let result = try await conform.run(chain + ["--defect", "code.another-name"])
    #expect(result.code == 1 && result.output.contains("FAIL  SE-E2E-002"), "\(result.output)")
  }

  @Test func aDefectThatAPairCannotHaveIsRefused() async throws {
    let result = try await conform.run(
      ["run", "--protocol", "mobile-engage", "--role", "pair", "--defect", "sessions.start-never"])
    #expect(result.code == 2 && result.errors.contains("use --role sdk"), "\(result.errors)")
  }

  @Test func aDefectOfAnAbsentSubjectIsRefused() async throws {
    let result = try await conform.run(
      ["run", "--protocol", "mobile-engage", "--role", "server", "--defect", "contact.field-as-text"])
    #expect(result.code == 2)
    #expect(
      result.errors.contains("this is a defect of the role 'sdk', but the run has only 'server'"), "\(result.errors)")
  }
}
