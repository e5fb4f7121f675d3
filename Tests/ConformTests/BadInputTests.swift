import Foundation
import Testing

/// A run that cannot begin ends with 2, reports the problem and the remedy on stderr, and leaves nothing behind.
@Suite struct BadInputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var words: String
    /// Parts of the message.
    var says: [String]

    init(_ words: String, _ says: String...) {
      self.words = words
      self.says = says
    }

    var arguments: [String] { words.split(separator: " ").map { $0 == "''" ? "" : String($0) } }
    var testDescription: String { words }
  }

  private static let rows = [
    // Words that the command does not know.
    Row("rum", "unknown command 'rum'; did you mean run? ('conform --help' shows all)"),
    Row("help nope", "unknown command 'nope'"),
    Row("help run nope", "unknown command 'nope'"),
    Row("help baseline prone", "unknown command 'prone'; did you mean prune?"),
    Row("run --wat", "Unknown option '--wat'"),
    Row("run --seed -1", "--seed"),
    Row("run --seed many", "'many' is invalid", "--seed"),
    Row("run --role client", "unknown role 'client'", "known: sdk, server"),
    Row("run --gate loose", "'loose' is invalid", "'stated', 'positions' or 'strict'"),
    Row("run --clock slow", "'slow' is invalid", "'virtual', 'scaled' or 'real'"),
    Row("run --jobs 0", "at least 1, found 0"),
    Row("run --time-limit 0", "above 0 and up to 86400", "found 0"),
    Row("run --time-limit inf", "up to 86400", "found inf"),
    Row("run --time-limit nan", "found nan"),
    Row("run --sdk a --backend b", "no role of linkforty fits the given subjects"),
    Row("run --sdk a --server http://b --clock virtual", "the kit cannot set the clock of a server or a backend"),
    Row("run --sdk a --server http://b --wire c", "leave out --wire"),
    Row("run --role pair --sdk a", "--role pair does not fit the subjects that are given; it needs --sdk and --server"),
    Row("run --sdk a --server http://127.0.0.1:1", "no HTTP server answers at http://127.0.0.1:1"),
    Row("run --defect x --server-file b", "leave out --sdk and --server"),
    Row("run --role sdk --server-file b", "--role sdk does not fit"),
    Row("serve --control --host 0.0.0.0", "--control lets everyone who reaches the server operate it"),
    Row("run --defect x --sdk a", "leave out --sdk and --server"),
    Row("run --role server --sdk a", "--role server does not fit"),
    Row("list defcts", "'defcts' is invalid", "defects"),
    Row("serve --port 70000", "0 to 65535, found 70000"),
    Row("judge", "give either transcripts or a record with --record"),
    Row("run --record /dev/null", "the file '/dev/null' is a pipe or a device"),
    Row("report", "Missing expected argument '<record>'"),
    // Words that the catalogue does not know.
    Row(
      "run --protocol linkfourty", "unknown protocol 'linkfourty'; did you mean linkforty?", "conform list protocols"),
    Row("run --dialect speck", "unknown dialect 'speck'; did you mean spec?", "conform list dialects"),
    Row("run --case offline.capacty", "unknown case 'offline.capacty'; did you mean offline.capacity"),
    Row("run --requirement LFS-HLT-01", "did you mean LFS-HLT-001", "conform list requirements"),
    Row("run --without-position P-99", "unknown position 'P-99'", "conform list positions"),
    Row("run --feature 99", "unknown feature '99'", "conform list features"),
    Row("run --defect nothing-like-it", "unknown defect", "nothing-like-it", "conform list defects"),
    Row("run --defect lacks:reest", "unknown capability of an SDK 'reest'; did you mean reset?"),
    Row(
      "run --protocol mobile-engage --variant early-refused", "no command of mobile-engage registers a callback",
      "refused early"),
    Row("prove --only crosstalk --defect queue.holds-99", "at least two defects of one role", "conform list defects"),
    Row("prove --only equality --sdk a", "leave out --sdk"),
    Row("list cases --case server.health.status --role sdk", "the selection is empty"),
    Row("list requirements --feature 99", "unknown feature '99'"),
    Row("serve --dialect speck", "unknown dialect 'speck'; did you mean spec?"),
    Row("serve --defect nothing-like-it", "unknown defect of the reference server", "conform list defects"),
    Row("prove --defect nothing-like-it", "unknown defect", "conform list defects"),
    Row("lint --protocol parcel", "unknown protocol 'parcel'"),
    Row("run --root nowhere", "--root expects a folder with spec/linkforty", "'nowhere'"),
    // Subjects that are not there.
    Row("run --sdk ''", "the command is empty", "python3 adapter.py"),
    Row("run --sdk no-such-program-anywhere", "no program 'no-such-program-anywhere' in PATH"),
    Row("run --sdk ./text", "not executable", "chmod +x"),
    Row("run --sdk ./missing", "./missing"),
    Row("run --server ''", "a base URL such as http://localhost:3000", "found ''"),
    Row("run --server http://host/?q=1", "a base URL such as", "found 'http://host/?q=1'"),
    Row("run --server http://127.0.0.1:1", "nothing listens on 127.0.0.1:1", "start it, or correct the URL"),
    Row(
      "run --server http://no-such-host.invalid", "no address is found for 'no-such-host.invalid'", "correct the URL"),
    Row("run --server-file missing", "missing: error", "a provisioning file that can be read"),
    Row("run --server-file text", "text:1", "expected a provisioning or binding file"),
    Row("run --server-file empty", "empty:1", "found an empty file"),
    Row("run --server-file nobody.yaml", "nobody.yaml: no HTTP server answers at http://127.0.0.1:1", "start it"),
    Row(
      "run --server-file program.yaml", "program.yaml:2:1: $.start: there is no program 'no-such-program-anywhere'"),
    Row("run --server-file deaf.yaml", "deaf.yaml:2:1", "$.start: expected ${api.port} in 'program'", "found neither"),
    Row("run --server-file route.yaml", "route.yaml:3:14", "$.exchanges.ask: expected a bound exchange, of which"),
    // Files with wrong contents.
    Row("run --output '' --case server.health.status", "--output expects a folder, found ''"),
    Row("run --output / --case server.health.status", "--output names '/', the root of the file system"),
    Row(
      "run --output . --case server.health.status", "the folder '.' is not a report of the kit, and contains", "--force"
    ),
    Row("run --output text/in/it --case server.health.status", "'text' is a file", "--output"),
    Row("run --junit no/junit.xml --case server.health.status", "'no/junit.xml' cannot be written", "missing"),
    Row("run --junit . --case server.health.status", "'.' cannot be written", "it is a folder"),
    Row("report missing", "cannot read 'missing'", "check the name"),
    Row("report .", "cannot read '.'"),
    Row("report text", "text:1", "expected a value"),
    Row("report empty", "empty:1", "the 'run' line that begins a run record, found nothing"),
    // Files that have no end.
    Row("report /dev/zero", "/dev/zero:1", "expected a line of at most 67108864 bytes"),
    Row("judge /dev/zero", "/dev/zero:1", "expected a line of at most 67108864 bytes"),
    Row("run --baseline /dev/zero", "/dev/zero: error", "expected at most 16777216 bytes"),
    Row("run --server-file /dev/zero", "/dev/zero: error", "expected at most 16777216 bytes"),
    Row("lint --pack endless", "endless/protocol.yaml: error", "expected a file, found a device"),
    Row("fmt --check --root half", "--root expects a folder with spec/", "found no Fixtures/ in 'half'"),
    Row("judge missing", "cannot read 'missing'"),
    Row("judge text", "text:1", "expected a value"),
    Row("judge empty", "empty:1", "the header of a transcript, found nothing"),
  ]

  @Test(arguments: rows)
  func aWrongWordEndsTheCommand(row: Row) async throws {
    let folder = try Scratch()
    try folder.write("text", "just a text\n")
    try folder.write("empty", "")
    try folder.write("nobody.yaml", "kit: 2\nurl: http://127.0.0.1:1\n")
    try folder.write("program.yaml", "kit: 2\nstart: { program: [no-such-program-anywhere, \"${api.port}\"] }\n")
    try folder.write("deaf.yaml", "kit: 2\nstart: { program: [sleep, \"1\"] }\n")
    try folder.write("route.yaml", "kit: 2\nurl: http://127.0.0.1:1\nexchanges: { ask: { method: GET, path: / } }\n")
    for name in ["endless", "half/spec/parcel"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try folder.write("half/spec/parcel/protocol.yaml", "kit: 2\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("endless/protocol.yaml"), withDestinationPath: "/dev/zero")
    let before = try folder.names()
    let result = try await Command(in: folder).run(row.arguments)
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    for text in row.says { #expect(result.errors.contains(text), "\(result.errors)") }
    #expect(try folder.names() == before)
  }

  /// Lost output is neither green nor silent.
  @Test(arguments: ["list > /dev/full", "--help > /dev/full", "run --case server.health.status > /dev/full"])
  func aFullDeviceIsToldOf(line: String) async throws {
    let result = try await Command(in: Scratch()).shell("conform " + line)
    #expect(result.code == 3)
    #expect(result.errors.contains("conform: the output could not be written: No space left on device\n"))
  }

  @Test func aDialectThatTheCaseDoesNotHaveIsNotJudged() async throws {
    let folder = try Scratch()
    let conform = Command(in: folder)
    let run = try await conform("run", "--case", "server.health.status", "--dialect", "spec", "--quiet")
    try #require(run.code == 0)
    let evidence = try folder.text("conform-report/evidence/server.health.status@spec.jsonl")
    try folder.write("a.jsonl", evidence.replacing("\"dialect\":\"spec\"", with: "\"dialect\":\"nope\""))
    let result = try await conform("judge", "a.jsonl")
    #expect(result.code == 2)
    #expect(result.errors.contains("is there in the dialects spec,"), "\(result.errors)")
    #expect(result.errors.contains("the transcript is of 'nope'"))
  }

  /// A file of the catalogue, a change of it, and the resulting message.
  @Test(arguments: [
    ("spec/linkforty/cases/server-health.yaml", "role: server", "role: sever", "did you mean \"server\"?"),
    (
      "spec/linkforty/protocol.yaml", "server: { downstream: [api] }", "server: {}",
      "$.roles.server: expected 'driver: true', 'upstream' or 'downstream', found no port"
    ),
    (
      "spec/linkforty/protocol.yaml", "server: { downstream: [api] }", "server: { downstream: [apo] }",
      "$.roles.server.downstream[0]: expected a service of the protocol: api, decoy, found 'apo' — did you mean \"api\"?"
    ),
    (
      "Fixtures/linkforty/exchanges/event.json", "\"at\": \"api\"", "\"at\": \"nowhere\"",
      "$.at: expected a service of the protocol: api, decoy, found 'nowhere'"
    ),
  ])
  func aCatalogueWithErrorsIsShownAndNotRun(file: String, old: String, new: String, says: String) async throws {
    let folder = try Scratch()
    for name in ["spec", "Fixtures"] {
      try FileManager.default.copyItem(
        atPath: Command.buildFolder + "/conform_ConformanceData.resources/" + name, toPath: folder.file(name))
    }
    let text = try folder.text(file)
    try #require(text.contains(old))
    try folder.write(file, text.replacing(old, with: new))
    let conform = Command(in: folder)
    for words in [["run", "--root", "."], ["serve", "--root", "."]] {
      let result = try await conform.run(words)
      #expect(result.code == 2)
      #expect(result.errors.contains("\(file):"))
      #expect(result.errors.contains(says), "\(result.errors)")
    }
    let lint = try await conform("lint", "--root", ".")
    #expect(lint.code == 2)
    #expect(lint.output.contains("\(file):"))
    #expect(!folder.exists("conform-report"))
  }

  /// The evidence of an earlier run stays if the next one cannot begin.
  @Test(arguments: [
    ["--sdk", "no-such-program-anywhere"], ["--server", "http://127.0.0.1:1"], ["--jobs", "many"], ["--no-such-option"],
  ])
  func whatCannotBeginLeavesEarlierEvidenceAloneAndMarksEarlierResults(subject: [String]) async throws {
    let folder = try Scratch()
    let conform = Command(in: folder)
    #expect(try await conform("run", "--case", "server.health.status", "--dialect", "spec").code == 0)
    let before = try folder.names(in: "conform-report/evidence")
    #expect(try await conform.run(["run"] + subject).code == 2)
    #expect(try folder.names(in: "conform-report/evidence") == before)
    #expect(before.count == 1)
    let results = try folder.names(in: "conform-report").filter { $0.hasPrefix("run") || $0.hasPrefix("junit") }
    #expect(results == ["junit.xml.stale", "run.jsonl.stale"])
  }
}
