import ConformanceVerdict
import Foundation
import Testing

@testable import Records

/// No text from any source can control the terminal, or begin a line of its own.
@Suite struct HostileTextTests {
  private static let mark = "FORGED"
  private static let hostile = "\u{1B}[2J\u{7}\u{202E}\u{FFFE}\r\n\(mark) line"
  /// The same text as JSON and Python write it, with characters that no argument and no file name can contain.
  private static let escaped = #"\u001b[2J\u0007\u202e\ufffe\u0000\r\n"# + mark + " line"

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// Checks the raw output: it contains no control characters but line ends and tabs, no forged line, and the visible
  /// text.
  private func expectVisible(_ result: Command.Result, isTold: Bool = true) {
    let raw = result.output + result.errors
    let obeyed = raw.unicodeScalars.filter { $0.isObeyed && $0 != "\n" && $0 != "\t" }
    #expect(obeyed.isEmpty, "\(raw.debugDescription)")
    #expect(!raw.split(separator: "\n").contains { $0.hasPrefix(Self.mark) }, "\(raw.debugDescription)")
    if isTold { #expect(raw.contains("\\u{1B}[2J"), "\(raw.debugDescription)") }
  }

  @Test(arguments: [
    ["?"], ["help", "?"], ["run", "--?"], ["run", "--seed", "?"], ["run", "--seed=?"], ["run", "--case", "?"],
    ["run", "--sdk", "?"], ["run", "--server", "?"], ["run", "--server-file", "?"], ["run", "--backend", "?"],
    ["run", "--baseline", "?"], ["run", "--root", "?"], ["run", "--pack", "?"], ["run", "--protocol", "?"],
    ["run", "--dialect", "?"], ["run", "--requirement", "?"], ["run", "--without-position", "?"],
    ["run", "--defect", "?"], ["run", "--role", "?"], ["run", "--output", "/dev/null/?"], ["explain", "?"],
    ["judge", "?"], ["judge", "--record", "?"], ["show", "?"], ["report", "?"], ["matrix", "?"],
    ["matrix", "?=?"], ["baseline", "write", "?"], ["baseline", "check", "?", "--baseline", "?"],
    ["lint", "--pack", "?"],
    ["fmt", "--root", "?"], ["coverage", "--protocol", "?"], ["prove", "--defect", "?"], ["prove", "--defects", "?"],
    ["serve", "--dialect", "?"], ["serve", "--host", "?"], ["init", "protocol", "?"], ["init", "adapter", "?"],
  ])
  func anArgumentIsShown(words: [String]) async throws {
    let result = try await conform.run(words.map { $0.replacing("?", with: Self.hostile) })
    #expect(result.code != 0)
    expectVisible(result, isTold: !Self.untold.contains(words))
  }

  /// Command lines with another error, which is the only one reported.
  private static let untold: Set<[String]> = [
    ["run", "--backend", "?"], ["prove", "--defects", "?"], ["init", "adapter", "?"],
  ]

  /// A key and a value of a pack.
  @Test(arguments: ["protocol.yaml", "cases/items.yaml"])
  func aFileOfAPackIsShown(file: String) async throws {
    try #require(try await conform("init", "protocol", "notes").code == 0)
    let name = "notes/" + file
    try folder.write(
      name, try folder.text(name) + "\"\\e[2J\\a\\u202E\\r\\n\(Self.mark)\": \"\\e[2J\\n\(Self.mark)\"\n")
    for words in [["lint"], ["run"], ["list"], ["explain", "x"], ["coverage"]] {
      let result = try await conform.run(words + ["--pack", "notes"])
      #expect(result.code == 2)
      expectVisible(result)
    }
    expectVisible(try await conform("fmt", "--check", "--pack", "notes"), isTold: false)
  }

  /// Texts of an adapter: in `hello`, in a reply, in an unexpected callback, on stderr, and as an invalid line.
  @Test(arguments: [
    "HELLO['sdk']['name'] = '?'", "HELLO['sdk']['version'] = '?'", "HELLO['capabilities'] = ['?']",
    "HELLO['protocol'] = '?'", "HELLO['?'] = '?'", "sys.stderr.write('?'); sys.stderr.flush(); sys.exit(3)",
    "print('?', flush=True)",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    send(id=id, error={'code': -32000, 'message': '?', 'data': {'kind': 'network'}})\n    return True",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    send(id=id, result={'?': '?'})\n    return True",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    send(method='?', params={'?': '?'})\n    return False",
    "def work(id, method, params):\n    if method != 'initialize': return False\n    sys.stderr.write('?\\n'); sys.stderr.flush(); os._exit(7)",
  ])
  func whatAnAdapterSaysIsShown(bend: String) async throws {
    let sdk = try PythonAdapter.write(bend.replacing("?", with: Self.escaped), to: folder)
    let result = try await conform(
      "run", "--sdk", sdk, "--case", "config.base-url.malformed", "--dialect", "spec", "--jobs", "1")
    #expect(result.code != 0)
    expectVisible(result, isTold: false)
    try await expectReportsAreVisible()
  }

  /// Checks all reports of a run's record, and the JUnit file as printed.
  private func expectReportsAreVisible() async throws {
    guard folder.exists("conform-report/run.jsonl") else { return }
    let record = "conform-report/run.jsonl"
    for words in [
      ["report", record], ["judge", "--record", record], ["matrix", record], ["baseline", "write", record],
    ] {
      expectVisible(try await conform.run(words), isTold: false)
    }
    for file in try folder.names(in: "conform-report/evidence").prefix(2) {
      for word in ["show", "judge"] {
        expectVisible(try await conform(word, "conform-report/evidence/" + file), isTold: false)
      }
    }
    let junit = try folder.text("conform-report/junit.xml")
    #expect(junit.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" }, "\(junit.debugDescription)")
    #expect(!junit.split(separator: "\n").contains { $0.hasPrefix(Self.mark) })
  }

  @Test(arguments: ["HTTP/1.1 200 ?", "HTTP/1.1 200 OK\r\nX-?: 1", "HTTP/1.1 200 OK\r\nX-A: ?", "?"])
  func whatAServerSendsIsShown(head: String) async throws {
    let raw = "\u{1B}[2J\u{7}\u{202E}\u{FFFE}\0\(Self.mark)"
    let bytes = Array("\(head.replacing("?", with: raw))\r\nContent-Length: 0\r\n\r\n".utf8)
    let port = try HostileServerTests.Port(answering: bytes)
    let result = try await conform(
      "run", "--server", "http://127.0.0.1:\(port.number)", "--case", "server.health.status")
    #expect(result.code != 0)
    expectVisible(result, isTold: false)
    try await expectReportsAreVisible()
  }

  /// A foreign record with a valid hash chain and hostile text in one field: the name of its subject, a finding, a
  /// title, an area.
  @Test(arguments: ["subject", "finding", "title", "rerun", "evidence", "baseline"])
  func aFieldOfARecordIsShown(field: String) async throws {
    let words = ["run", "--case", "server.health.*", "--dialect", "spec", "--defect", "health.needs-key", "--quiet"]
    // On a busy machine a case may stay unjudged, but there is a record all the same.
    try #require([1, 3].contains(try await conform.run(words).code))
    var record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    let text = Self.hostile + "\0"
    for index in record.rulings.indices {
      if field == "finding", case .violates(var findings) = record.rulings[index].verdict.outcome {
        findings[0].observed = text
        record.rulings[index].verdict.outcome = .violates(findings)
      }
      if field == "rerun" { record.rulings[index].rerun = record.rulings[index].rerun.replacing("run ", with: text) }
    }
    switch field {
    case "subject": record.subjects[0].subject.name = text
    case "title": record.cases[0].title = text
    case "rerun": record.header.rerun = record.header.rerun.replacing("run ", with: text)
    case "evidence": record.cases[0].evidence = text
    default: record.header.baseline = .init(file: text, digest: text)
    }
    let writer = try RunRecordWriter(folder.file("forged.jsonl"), header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
    let forged = [
      ["report", "forged.jsonl"], ["report", "forged.jsonl", "--without-pack"], ["judge", "--record", "forged.jsonl"],
      ["matrix", "forged.jsonl", "--role", "server"],
      ["matrix", "forged.jsonl", "--role", "server", "--format", "csv"],
      ["baseline", "write", "forged.jsonl"],
    ]
    for words in forged { expectVisible(try await conform.run(words), isTold: false) }
  }
}
