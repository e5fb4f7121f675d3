import ConformanceVerdict
import Foundation
import JSONKit
import RandomValues
import Testing

/// No secret leaves the run: no written or printed text contains it, in any spelling and from any source.
@Suite struct SecretsTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// Every secret in every spelling, one line for each.
  private static let spelled = Canary.all.flatMap { canary in Spelling.allCases.map { $0.spell(canary) } }

  /// Everything that the command showed and left: the raw bytes, and the texts that the lines of JSON files stand for.
  private func everything(_ result: Command.Result) throws -> [(name: String, text: String)] {
    var all = [("stdout", result.output), ("stderr", result.errors)]
    guard folder.exists("conform-report") else { return all }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.file("conform-report"))
    for file in files where file.contains(".") {
      let text = try folder.text("conform-report/" + file)
      all.append((file, text))
      guard file.hasSuffix(".jsonl") else { continue }
      let texts = try text.split(separator: "\n").flatMap { try JSON(parsing: Array($0.utf8)).texts }
      all.append((file + " read", texts.joined(separator: "\n")))
    }
    return all
  }

  private func expectNone(_ result: Command.Result, of canaries: [String] = Canary.all) throws {
    for (name, text) in try everything(result) {
      for canary in canaries {
        let found = Spelling.allCases.filter { $0.stands(canary, in: text) }
        #expect(found.isEmpty, "\(canary) in \(name): \(found)")
      }
    }
  }

  private func writeProvisioning(_ url: String, _ rest: String = "") throws {
    try folder.write(
      "p.yaml", "kit: 2\nurl: \(url)\nsecrets: \(JSON.strings(Canary.all).compactText)\n\(rest)")
  }

  @Test func aServerThatSpellsThemIsShownWithoutThem() async throws {
    let body = Array(Self.spelled.joined(separator: "\n").utf8)
    let fields = Self.spelled.enumerated().filter { $1.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    let head = "200 OK\r\n" + fields.map { "X-\($0): \($1)" }.joined(separator: "\r\n")
    let port = try HostileServerTests.Port(answering: HostileServerTests.answer(head, body))
    try writeProvisioning("http://127.0.0.1:\(port.number)")
    let result = try await conform(
      "run", "--server-file", "p.yaml", "--case", "server.health.*", "--case", "server.install.minimal")
    #expect([1, 3].contains(result.code), "\(result.output)\(result.errors)")
    try expectNone(result)
    let evidence = try folder.text("conform-report/evidence/server.health.status@spec.jsonl")
    #expect(evidence.components(separatedBy: "[redacted]").count > Self.spelled.count)
    let report = try await conform("report", "conform-report/run.jsonl")
    try expectNone(report)
    try expectNone(try await conform("show", "conform-report/evidence/server.health.status@spec.jsonl", "--headers"))
  }

  @Test(arguments: ["sys.exit(3)", "print('\\n'.join(lines)); sys.exit(0)"])
  func aHookThatSpellsThemIsShownWithoutThem(end: String) async throws {
    let port = try HostileServerTests.Port(answering: HostileServerTests.answer("404 Not Found", []))
    let lines = JSON.strings(Self.spelled).compactText
    try folder.write(
      "hook.py",
      "import json, sys\nlines = json.loads(open('lines.json').read())\nsys.stderr.write('\\n'.join(lines))\n"
        + "sys.stderr.flush()\n" + end)
    try folder.write("lines.json", lines)
    try writeProvisioning(
      "http://127.0.0.1:\(port.number)", "hooks: { createLink: { program: [python3, hook.py] } }\n")
    let result = try await conform("run", "--server-file", "p.yaml", "--case", "server.resolve.*", "--dialect", "spec")
    #expect(result.code != 0)
    #expect(folder.exists("conform-report"), "\(result.errors)")
    try expectNone(result)
  }

  /// The words of a subject's command line, in what it says of itself, on stderr and in its replies.
  @Test func anAdapterThatTellsItsWordsIsShownWithoutThem() async throws {
    let secret = "hunter2-hunter2"
    let sdk = try PythonAdapter.write(
      """
      SECRETS = [sys.argv[2], os.environ["API_TOKEN"], sys.argv[3]]
      HELLO["sdk"]["name"] = "sdk of " + sys.argv[2]
      def work(id, method, params):
          sys.stderr.write(" ".join(SECRETS) + "\\n")
          sys.stderr.flush()
          if method != "initialize": return False
          send(id=id, error={"code": -32000, "message": SECRETS[1], "data": {"kind": "invalidConfiguration"}})
          return True
      """, to: folder)
    let words = "API_TOKEN=t0ken-of-env \(sdk) --password \(secret) https://ann:p4ssword-7@host/"
    let result = try await conform(
      "run", "--sdk", words, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "1")
    #expect(folder.exists("conform-report/run.jsonl"), "\(result.errors)")
    try expectNone(result, of: [secret, "t0ken-of-env", "p4ssword-7"])
    let record = try folder.text("conform-report/run.jsonl")
    let rerun = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).header.rerun
    #expect(rerun.contains(#"--password '\''[redacted]'\''"#), "\(rerun)")
    #expect(rerun.contains(#"API_TOKEN='\''[redacted]'\''"#), "\(rerun)")
    #expect(record.contains("sdk of [redacted]"))
    #expect(!record.contains("p4ssword-7") && !record.contains("t0ken-of-env"))
  }

  /// A subject that cannot be started: the message repeats the command.
  @Test(arguments: ["./none --password hunter2-hunter2", "API_TOKEN=hunter2-hunter2 ./none"])
  func aMessageDoesNotRepeatThem(command: String) async throws {
    let result = try await conform("run", "--sdk", command)
    #expect(result.code == 2)
    try expectNone(result, of: ["hunter2-hunter2"])
  }
}

extension JSON {
  /// Every text and name in it.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let object): object.members.flatMap { [$0.key] + $0.value.texts }
    default: []
    }
  }
}
