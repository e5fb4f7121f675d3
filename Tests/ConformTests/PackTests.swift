import ConformanceVerdict
import Foundation
import Testing

/// A third-party protocol in a folder, used by every command without any Swift code.
@Suite struct PackTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// Writes the pack of `conform init` under this name into a folder.
  private func begin(_ name: String = "notes", in path: String = "notes") async throws {
    let result = try await conform("init", "protocol", name, path)
    try #require(result.code == 0, "\(result.errors)")
  }

  private func change(_ file: String, _ old: String, _ new: String) throws {
    let text = try folder.text(file)
    try #require(text.contains(old))
    try folder.write(file, text.replacing(old, with: new))
  }

  @Test(arguments: [
    (["lint"], ""), (["fmt", "--check"], ""), (["list", "cases"], "items.answered[plain]@any"),
    (["list", "checks"], "output-lacks"), (["list", "protocols"], "notes\tnotes\tdata alone"),
    (["coverage"], "2 covered by 2 cases"), (["explain", "NOTES-SRV-001"], "notes/requirements/all.yaml:"),
  ])
  func theCommandsTakeIt(words: [String], says: String) async throws {
    try await begin()
    let result = try await conform.run(words + ["--pack", "notes"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty)
    #expect(says.isEmpty ? result.output.isEmpty : result.output.contains(says), "\(result.output)")
  }

  /// A server that follows the pack, judged by the pack. All output of the run names the pack.
  @Test func aServerIsServedAndJudged() async throws {
    try await begin()
    let output = Pipe()
    let server = try conform.start(["serve", "--pack", "notes"], output: .pipe(output))
    defer { server.signal(SIGTERM) }
    var lines = ServeTests.lines(of: output).makeAsyncIterator()
    let line = try #require(await lines.next())
    let url = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
    let result = try await conform("run", "--pack", "notes/", "--server", String(url))
    #expect(result.code == 0, "\(result.output)\(result.errors)")

    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.header.protocolName == "notes")
    #expect(record.header.packDigest.count == 64)
    #expect(record.header.rerun.contains(" --pack notes "), "\(record.header.rerun)")
    let transcript = try folder.text("conform-report/evidence/items.answered[plain]@any.jsonl")
    #expect(transcript.contains("\"protocol\":\"notes\""))
    #expect(transcript.contains(record.header.packDigest))

    #expect(try await conform.shell(record.header.rerun).code == 0)
    #expect(folder.exists("conform-report-rerun"))
    #expect(try await conform("report", "conform-report/run.jsonl", "--pack", "notes").code == 0)
    #expect(try await conform("show", "conform-report/evidence/items.answered[plain]@any.jsonl").code == 0)
    #expect(try await conform("matrix", "conform-report/run.jsonl", "--pack", "notes", "--role", "server").code == 0)
    try await theRecordIsJudgedByThisPackAlone()
  }

  private func theRecordIsJudgedByThisPackAlone() async throws {
    let words = ["judge", "--record", "conform-report/run.jsonl"]
    #expect(
      try await conform.run(words + ["--pack", "notes"]).output.contains("compared 2 verdicts in 2 cases: all equal"))
    let stranger = try await conform.run(words)
    #expect(stranger.code == 2)
    #expect(stranger.errors.contains("unknown protocol 'notes'"))
    try change("notes/cases/items.yaml", "title: bread }", "title: cake }")
    let changed = try await conform.run(words + ["--pack", "notes"])
    #expect(changed.code == 2)
    #expect(
      changed.errors.contains("$.packDigest: expected") && changed.errors.contains("the digest of this pack"),
      "\(changed.errors)")
  }

  /// The server as data is the reference of its role; the pack has no reference for the SDK.
  @Test func aRunWithoutSubjectsJudgesTheServerAsData() async throws {
    try await begin()
    let result = try await conform("run", "--pack", "notes")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("conformant: 2 passed"))
    #expect(
      result.errors
        == "conform: the role 'sdk' is left out, since the kit carries no reference for it: it needs --sdk\n")
  }

  @Test func theEnvironmentMakesPacksKnownByName() async throws {
    try await begin()
    try await begin("tasks", in: "more/tasks")
    let environment = ["CONFORM_PACKS": "notes:\(folder.file("more"))"]
    let list = try await conform.run(["list", "protocols"], environment: environment)
    let known = list.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(Set(known).isSuperset(of: ["linkforty", "notes", "tasks"]), "\(known)")
    let cases = try await conform.run(["list", "cases", "--protocol", "tasks"], environment: environment)
    #expect(cases.output.contains("TASKS-SRV-001"))
    // The built-in protocol is the default.
    #expect(try await conform.run(["list", "dialects"], environment: environment).output.contains("core-1.21"))
    // A pack that is named twice counts once.
    #expect(try await conform.run(["list", "cases", "--pack", "./notes"], environment: environment).code == 0)
  }

  @Test func severalPacksAskWhichIsMeant() async throws {
    try await begin("notes", in: "both/one")
    try await begin("tasks", in: "both/two")
    let open = try await conform("list", "cases", "--pack", "both")
    #expect(open.code == 2)
    #expect(open.errors.contains("several protocols are available: choose one with --protocol (notes, tasks)"))
    #expect(try await conform("list", "cases", "--pack", "both", "--protocol", "tasks").output.contains("TASKS-"))
  }

  @Test func twoPacksOfOneNameAreAnErrorWithBothPlaces() async throws {
    try await begin("notes", in: "one")
    try await begin("notes", in: "two")
    let result = try await conform.run(["lint", "--pack", "one"], environment: ["CONFORM_PACKS": "two"])
    #expect(result.code == 2)
    #expect(result.errors.contains("two protocols are called 'notes': one and two; rename one"))
  }

  /// A root works like a pack: every protocol below its `spec/` is known.
  @Test func aRootOfOneProtocolNeedsNoName() async throws {
    try await begin()
    for (tree, names) in [
      ("spec", ["protocol.yaml", "requirements", "cases", "server.yaml"]), ("Fixtures", ["exchanges"]),
    ] {
      let target = folder.file("root/\(tree)/notes")
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      for name in names {
        try FileManager.default.copyItem(atPath: folder.file("notes/\(name)"), toPath: "\(target)/\(name)")
      }
    }
    let cases = try await conform("list", "cases", "--root", "root")
    #expect(cases.code == 0, "\(cases.errors)")
    #expect(cases.output.contains("NOTES-SRV-001"))
  }

  /// A problem with the folder, and the parts of the message.
  @Test(arguments: [
    ("rm -r notes", "--pack expects a folder with a protocol.yaml", "'conform init protocol NAME notes' writes one"),
    ("mkdir empty && rm -r notes && mv empty notes", "found none in 'notes'", "conform init protocol"),
    ("rm notes/protocol.yaml; mkdir notes/spec", "looks like a root with spec/", "--root"),
    ("sed -i 's/kit: 2/kit: 3/' notes/protocol.yaml", "notes/protocol.yaml:1:1: error: $.kit", "made for a later kit"),
    ("sed -i 's/kit: 2/kit: 1/' notes/cases/items.yaml", "expected 2, found 1", "'conform fmt --upgrade' rewrites it"),
    (
      "sed -i 's/kit: 2/kit: 3/' notes/cases/items.yaml", "notes/cases/items.yaml:1:1: error: $.kit",
      "made for a later kit"
    ),
    ("sed -i 's/role: server/role: sever/' notes/cases/items.yaml", "notes/cases/items.yaml:5:", "\"server\""),
    ("sed -i '/^protocol:/d' notes/protocol.yaml", "notes/protocol.yaml:", "the name of the protocol"),
  ])
  func aFolderThatIsNoPackIsTold(change: String, says: String, hint: String) async throws {
    try await begin()
    #expect(try await conform.shell(change).code == 0)
    for words in [["run"], ["list", "cases"]] {
      let result = try await conform.run(words + ["--pack", "notes"])
      #expect(result.code == 2)
      #expect(result.errors.contains(says), "\(result.errors)")
      #expect(result.errors.contains(hint), "\(result.errors)")
      #expect(!folder.exists("conform-report"))
    }
  }

  /// Without a server as data there is no reference for any role, and the message names the options of each role.
  @Test(arguments: [
    (["run"], "sdk needs --sdk; server needs --server"), (["run", "--role", "sdk"], "'sdk' of notes: it needs --sdk"),
    (["prove"], "give a conforming SDK with --sdk"),
  ])
  func whoIsUnderTestIsAskedFor(words: [String], says: String) async throws {
    try await begin()
    try FileManager.default.removeItem(atPath: folder.file("notes/server.yaml"))
    let result = try await conform.run(words + ["--pack", "notes"])
    #expect(result.code == 2)
    #expect(result.errors.contains("the kit carries no reference for"), "\(result.errors)")
    #expect(result.errors.contains(says), "\(result.errors)")
  }
}
