import ConformanceVerdict
import Foundation
import Testing

/// Adapters that violate the protocol. Other cases are judged, the cause is named, and no process stays.
@Suite struct HostileAdapterTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bend: String
    var says: String
    var options: [String] = []
  }

  private static let strangers = [
    Row(testDescription: "exits at once", bend: "sys.exit(3)", says: "exited with code 3"),
    Row(testDescription: "a newer version", bend: "HELLO['protocolVersion'] = 2", says: "use a kit or an adapter"),
    Row(testDescription: "another protocol", bend: "HELLO['protocol'] = 'parcel'", says: "start another adapter"),
    Row(testDescription: "a greeting", bend: "print('hello world', flush=True)", says: "logs belong on stderr"),
    Row(testDescription: "not executable Python", bend: "this is no Python", says: "exited with code 1"),
    Row(
      testDescription: "hangs at hello, deaf to SIGTERM",
      bend: "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwork = lambda id, method, params: stay()",
      says: "no reply to 'hello'", options: ["--time-limit", "1"]),
    Row(
      testDescription: "floods at hello",
      bend: "while True: sys.stdout.write('x' * 65536)", says: "8388608"),
    Row(testDescription: "no such clock", bend: "", says: "offers no virtual clock", options: ["--clock", "virtual"]),
  ]

  @Test(arguments: strangers)
  func anAdapterThatCannotBeWorkedWithIsRefusedBeforeTheRun(row: Row) async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(row.bend, to: folder)
    let result = try await Command(in: folder).run(
      ["run", "--sdk", sdk, "--case", "config.base-url.malformed"] + row.options)
    #expect(result.code == 2)
    #expect(result.errors.contains(row.says), "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try folder.names().filter { $0 != "pids" } == ["adapter.py"])
    if FileManager.default.fileExists(atPath: folder.file("pids")) { try PythonAdapter.expectNoneLeft(in: folder) }
  }

  /// Code that runs at the base URL `https://` only.
  private static func only(_ bend: String) -> String {
    """
    def work(id, method, params):
        if method != "initialize" or params.get("baseUrl") != "https://":
            return False
        \(bend)
        return True
    """
  }

  private static let culprits = [
    Row(testDescription: "crashes", bend: only("os._exit(7)"), says: "exited with code 7"),
    Row(testDescription: "dies of a signal", bend: only("os.kill(os.getpid(), 6)"), says: "was ended by signal 6"),
    Row(
      testDescription: "hangs, deaf to SIGTERM", bend: only("signal.signal(signal.SIGTERM, signal.SIG_IGN); stay()"),
      says: "no reply to 'ping'", options: ["--time-limit", "20"]),
    Row(
      testDescription: "floods", bend: only("while True: sys.stdout.write('x' * 65536 + '\\n')"),
      says: "logs belong on stderr"),
    Row(testDescription: "closes stdout", bend: only("os.close(1); stay()"), says: "closed its stdout"),
  ]

  @Test(arguments: culprits)
  func oneBadCaseLeavesTheOthersJudged(row: Row) async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(row.bend, to: folder)
    let result = try await Command(in: folder).run(
      [
        "run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--requirement", "LF-CFG-012",
        "--jobs", "1",
      ] + row.options)
    #expect(result.code == 3, "\(result.output)")
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.rulings.count == 3)
    for ruling in record.rulings {
      var reason = ""
      if case .unjudged(let text) = ruling.verdict.outcome { reason = text }
      let isCulprit = ruling.verdict.instance.row == "without-host"
      #expect(reason.contains(row.says) == isCulprit, "\(ruling.verdict)")
    }
    #expect(result.output.contains("config.base-url.malformed[without-host]"))
    try PythonAdapter.expectNoneLeft(in: folder, atLeast: 2)
  }

  @Test func anAdapterThatDoesNotEndIsEnded() async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(
      """
      signal.signal(signal.SIGTERM, signal.SIG_IGN)
      def work(id, method, params):
          if method == "shutdown": stay()
          return False
      """, to: folder)
    let result = try await Command(in: folder)(
      "run", "--sdk", sdk, "--case", "config.base-url.malformed[words]", "--dialect", "spec")
    #expect([0, 1, 3].contains(result.code))
    try PythonAdapter.expectNoneLeft(in: folder)
  }
}
