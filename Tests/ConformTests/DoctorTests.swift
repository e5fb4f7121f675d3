import Foundation
import Testing

/// `conform doctor`: a sound adapter passes, and each broken one fails exactly the check that it breaks.
@Suite struct DoctorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The check that fails.
    var testDescription: String
    var bend: String
    var says: String
  }

  private static let broken = [
    Row(testDescription: "handshake", bend: "HELLO['clocks'] = []", says: "at least one of virtual, scaled, real"),
    Row(testDescription: "framing", bend: "print('hello world', flush=True)", says: "logs belong on stderr"),
    Row(
      testDescription: "framing", bend: reply(to: "launch", after: "print('launched', flush=True)"),
      says: "launched"),
    Row(
      testDescription: "flushing",
      bend: """
        def send(**message):
            sys.__stdout__.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
        """, says: "no reply to 'hello'"),
    Row(
      testDescription: "line ends",
      bend: """
        class Strict:
            def readline(self):
                line = self.file.readline().decode()
                return sys.exit(4) if line.endswith("\\r\\n") else line
        strict = Strict()
        strict.file = sys.stdin.buffer
        sys.stdin = strict
        """, says: "ends with \\r\\n"),
    Row(
      testDescription: "unknown command",
      bend: """
        def work(id, method, params):
            if method in ("hello", "launch", "quit", "ping", "shutdown", "advance"):
                return False
            reply(id)
            return True
        """, says: "made-up command"),
    Row(testDescription: "replies", bend: reply(to: "ping", after: "reply(id)"), says: "a second reply to id"),
    Row(
      testDescription: "concurrency",
      bend: """
        import fcntl
        lock = open("lock", "w")
        def work(id, method, params):
            if method == "launch":
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    sys.exit(9)
            return False
        """, says: "exited with code 9"),
    Row(
      testDescription: "restart",
      bend: """
        launches = []
        def work(id, method, params):
            if method == "launch":
                launches.append(id)
                if len(launches) > 1:
                    sys.exit(8)
            return False
        """, says: "exited with code 8"),
    Row(
      testDescription: "storage",
      bend: """
        import shutil
        def work(id, method, params):
            if method == "launch":
                shutil.rmtree(params["storage"])
                os.mkdir(params["storage"])
            return False
        """, says: "is gone or changed"),
    Row(
      testDescription: "clock",
      bend: """
        HELLO["clocks"] = ["virtual"]
        def work(id, method, params):
            if method == "advance":
                reply(id, {"next": params["to"]})
                return True
            return False
        """, says: "a timer that is due later"),
    Row(
      testDescription: "quit",
      bend: reply(to: "quit", after: "send(method='callback', params={'handle': 'd1', 'value': None})"),
      says: "a callback came after the reply to 'quit'"),
    Row(
      testDescription: "exit",
      bend: """
        def work(id, method, params):
            if method == "shutdown":
                reply(id)
                sys.stdout.flush()
                os._exit(5)
            return False
        """, says: "exited with code 5"),
    Row(
      testDescription: "speed",
      bend: """
        import time
        def work(id, method, params):
            if method == "ping":
                time.sleep(0.04)
            return False
        """, says: "nine of ten 'ping' are answered after"),
  ]

  /// Answers a command with null, and then does something more.
  private static func reply(to command: String, after: String) -> String {
    """
    def work(id, method, params):
        if method != "\(command)":
            return False
        reply(id)
        \(after)
        return True
    """
  }

  /// A folder with the small protocol that `conform init` writes: it is read in a moment.
  private func notes() async throws -> (folder: Scratch, conform: Command) {
    let folder = try Scratch()
    let conform = Command(in: folder)
    try #require(try await conform("init", "protocol", "notes").code == 0)
    return (folder, conform)
  }

  private static let ofNotes = "HELLO.update(protocol='notes', specRevision='2026-01-01', capabilities=[])\n"

  /// The checks that an output calls failed.
  private func failures(in output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("FAILED  ") }
      .map { $0.dropFirst(8).prefix(17).split(separator: "  ").first.map(String.init) ?? "" }
  }

  @Test(arguments: broken)
  func eachBrokenAdapterFailsExactlyItsCheck(row: Row) async throws {
    let (folder, conform) = try await notes()
    let sdk = try PythonAdapter.write(Self.ofNotes + row.bend, to: folder)
    let result = try await conform("doctor", "--pack", "notes", "--sdk", sdk)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(failures(in: result.output) == [row.testDescription], "\(result.output)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(row.says), "\(result.output)")
    #expect(words.contains("Fix: "))
    try PythonAdapter.expectNoneLeft(in: folder)
  }

  @Test func aSoundAdapterPassesAndLearnsWhatToWriteNext() async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write(to: folder)
    let result = try await Command(in: folder)("doctor", "--sdk", sdk)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(failures(in: result.output).isEmpty)
    #expect(result.output.contains("Write next, and declare:\n  1. "))
    #expect(result.output.hasSuffix("score: 12 of 12 checks passed, 100 %\n"))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try folder.names() == ["adapter.py", "pids"])
  }

  /// A program other than an adapter fails one check, and one sentence covers the checks that cannot be made.
  @Test(arguments: [
    ("cat", "the program writes back what it reads, as 'cat' does; expected a reply to 'hello'"),
    ("true", "the adapter exited with code 0 before it answered 'hello'"),
  ])
  func aProgramThatIsNoAdapterFailsTheHandshake(sdk: String, says: String) async throws {
    let (folder, conform) = try await notes()
    let result = try await conform("doctor", "--pack", "notes", "--sdk", sdk)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(failures(in: result.output) == ["handshake"])
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(says), "\(result.output)")
    if sdk == "true" { #expect(words.contains("Fix: The program ended by itself: start it with the same command")) }
    #expect(words.contains("The other 12 checks need an answer to 'hello'."))
    #expect(words.hasSuffix("score: 0 of 13 checks passed, 0 %"))
    #expect(try folder.names() == ["notes"])
  }

  /// A template declares nothing yet, so only the commands that it refuses show what is left to do.
  @Test func commandsThatAreNotWrittenAreListed() async throws {
    let (folder, conform) = try await notes()
    let written = try await conform("init", "adapter", "--language", "python", "--pack", "notes", "adapter")
    try #require(written.code == 0, "\(written.errors)")
    let result = try await conform("doctor", "--pack", "notes", "--sdk", "python3 adapter/adapter.py")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let says = "The adapter refuses these commands as unsupported: start, addItem\n"
    #expect(result.output.contains(says), "\(result.output)")
    let text = try folder.text("adapter/adapter.py")
    try folder.write(
      "adapter/adapter.py",
      text.replacing(
        "raise Unsupported(\"the command 'start' is not written yet: see adapter.py\")", with: "return None"))
    let second = try await conform("doctor", "--pack", "notes", "--sdk", "python3 adapter/adapter.py")
    #expect(second.output.contains("as unsupported: addItem\n"), "\(second.output)")
  }

  @Test(arguments: ["./missing", "python3 'adapter.py", ""])
  func aCommandThatCannotBeStartedIsBadInput(sdk: String) async throws {
    let folder = try Scratch()
    let result = try await Command(in: folder)("doctor", "--sdk", sdk)
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("conform: "))
  }

  @Test func aRunThatTheAdapterStopsRecommendsTheDoctor() async throws {
    let folder = try Scratch()
    let sdk = try PythonAdapter.write("print('hello world', flush=True)", to: folder)
    let result = try await Command(in: folder)("run", "--sdk", sdk)
    #expect(result.code == 2)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first == "conform: the adapter is at fault, not the SDK; check it with")
    #expect(lines.dropFirst().first?.hasSuffix("conform doctor --sdk '\(sdk)'") == true, "\(result.errors)")
  }
}
