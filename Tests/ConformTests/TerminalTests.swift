import ConformanceVerdict
import Foundation
import Testing

@testable import Records

/// On a terminal the kit uses colours and redraws its progress line. Texts from other sources can do neither.
@Suite struct TerminalTests {
  private static let mark = "FORGED"
  /// Colours of the kit and another one, the sequences of its progress line, a title, a line end.
  private static let hostile =
    "\u{1B}[32m\(mark)\u{1B}[0m\u{1B}[8m\u{1B}[2J\r\u{1B}[K\(mark)\u{1B}]0;\(mark)\u{7}\u{9B}2J\u{202E}\r\n\(mark)"
  /// The same text as JSON, YAML and Python write it.
  private static let escaped =
    #"\u001b[32m\#(mark)\u001b[0m\u001b[8m\u001b[2J\r\u001b[K\#(mark)\u001b]0;\#(mark)\u0007\u009b2J\u202e\r\n\#(mark)"#

  /// Runs a program on a terminal of its own, which passes everything on unchanged, and prints what the terminal
  /// receives.
  private static let terminal = """
    import os, pty, sys, tty
    child, screen = pty.fork()
    if child == 0:
        tty.setraw(1)
        os.execv(sys.argv[1], sys.argv[1:])
    while True:
        try:
            piece = os.read(screen, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        sys.stdout.buffer.write(piece)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
    try folder.write("terminal.py", Self.terminal)
  }

  /// The output of a command on a terminal, and its exit code.
  @discardableResult
  private func show(_ words: [String], isColoured: Bool = false) async throws -> Command.Result {
    let line = (["terminal.py", Command.buildFolder + "/conform"] + words)
      .map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
    let result = try await conform.shell("NO_COLOR= TERM=xterm python3 -S -E \(line)")
    expectOwn(result.output)
    #expect(result.errors.isEmpty)
    #expect(!isColoured || result.output.contains("\u{1B}["), "\(result.output.debugDescription)")
    return result
  }

  /// Checks the output: its colours are those of the kit, it contains no other control characters but line ends and
  /// tabs, and no forged line.
  private func expectOwn(_ raw: String) {
    let own = /\u{1B}\[(?:32|1;31|1;35|33|1|2)m([^\u{1B}]*)\u{1B}\[0m|\r\u{1B}\[K/
    let rest = raw.replacing(own) { $0.output.1.map { "\($0)" } ?? "\n" }
    let obeyed = rest.unicodeScalars.filter { $0.isObeyed && $0 != "\n" && $0 != "\t" }
    #expect(obeyed.isEmpty, "\(raw.debugDescription)")
    #expect(!rest.split(separator: "\n").contains { $0.hasPrefix(Self.mark) }, "\(raw.debugDescription)")
    #expect(!raw.contains("\u{1B}[32m\(Self.mark)"), "\(raw.debugDescription)")
  }

  @Test(arguments: [
    ["?"], ["help", "?"], ["run", "--?"], ["run", "--seed=?"], ["run", "--case", "?"], ["run", "--sdk", "?"],
    ["run", "--server", "?"], ["run", "--root", "?"], ["run", "--output", "/dev/null/?"], ["report", "?"],
    ["show", "?"],
    ["matrix", "?=?"], ["lint", "--pack", "?"], ["init", "protocol", "?"], ["prove", "--defect", "?"],
  ])
  func anArgument(words: [String]) async throws {
    let result = try await show(words.map { $0.replacing("?", with: Self.hostile) })
    #expect(result.code != 0)
    #expect(result.output.contains("\\u{1B}[32m"), "\(result.output.debugDescription)")
  }

  @Test(arguments: [
    "HELLO['sdk']['name'] = '?'", "HELLO['capabilities'] = ['?']", "HELLO['?'] = '?'",
    "sys.stderr.write('?'); sys.stderr.flush(); sys.exit(3)", "print('?', flush=True)",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    send(id=id, error={'code': -32000, 'message': '?', 'data': {'kind': 'network'}})\n    return True",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    send(method='?', params={'?': '?'})\n    return False",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    sys.stderr.write('?\\n'); sys.stderr.flush(); os._exit(7)",
  ])
  func whatAnAdapterSays(bend: String) async throws {
    let sdk = try PythonAdapter.write(bend.replacing("?", with: Self.escaped), to: folder)
    let result = try await show([
      "run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "1",
    ])
    #expect(result.code != 0)
    guard folder.exists("conform-report/run.jsonl") else { return }
    try await show(["report", "conform-report/run.jsonl"], isColoured: true)
    try await show(["judge", "--record", "conform-report/run.jsonl"])
    for file in try folder.names(in: "conform-report/evidence").prefix(1) {
      for word in ["show", "judge"] { try await show([word, "conform-report/evidence/" + file]) }
    }
  }

  @Test(arguments: ["protocol.yaml", "cases/items.yaml"])
  func aFileOfAPack(file: String) async throws {
    try #require(try await conform("init", "protocol", "notes").code == 0)
    let name = "notes/" + file
    try folder.write(name, try folder.text(name) + "\"\(Self.escaped)\": \"\(Self.escaped)\"\n")
    for word in ["lint", "run", "list"] {
      let result = try await show([word, "--pack", "notes"])
      #expect(result.code == 2)
      #expect(result.output.contains("\\u{1B}[32m"), "\(result.output.debugDescription)")
    }
  }

  @Test func aRecord() async throws {
    let words = ["run", "--case", "server.health.*", "--dialect", "spec", "--defect", "health.needs-key"]
    // On a busy machine a case may stay unjudged, but there is a record all the same.
    try #require([1, 3].contains(try await show(words, isColoured: true).code))
    var record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    for index in record.rulings.indices {
      if case .violates(var findings) = record.rulings[index].verdict.outcome {
        findings[0].observed = Self.hostile
        record.rulings[index].verdict.outcome = .violates(findings)
      }
    }
    record.subjects[0].subject.name = Self.hostile
    record.cases[0].title = Self.hostile
    record.cases[0].evidence = Self.hostile
    record.header.baseline = .init(file: Self.hostile, digest: Self.hostile)
    let writer = try RunRecordWriter(folder.file("forged.jsonl"), header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
    try await show(["report", "forged.jsonl", "--without-pack"], isColoured: true)
    for words in [["report"], ["matrix", "--role", "server"], ["judge", "--record"], ["baseline", "write"]] {
      try await show([words[0]] + words.dropFirst() + ["forged.jsonl"])
    }
  }
}
