import ConformanceVerdict
import Foundation
import Testing

/// Adapters that the kit reaches over a WebSocket or HTTP: they are judged as over standard streams, and each way of
/// breaking the carrier is named.
@Suite struct CarrierTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var mode: String
    var code: Int32
    var says: String

    var testDescription: String { mode }
  }

  static let program = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Carriers/carried_adapter.py").standardized.path
  private static let reference = Command.buildFolder + "/linkforty-adapter"

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private func dialled(_ mode: String, _ words: [String]) async throws -> Command.Result {
    let app = "python3 -S -E '\(Self.program)' dial \(mode) '\(Self.reference)'"
    return try await conform.run(["run", "--sdk", "ws://", "--relaunch", app, "--dialect", "spec"] + words)
  }

  private func asked(_ mode: String, _ words: [String]) async throws -> Command.Result {
    try await conform.shell(
      """
      python3 -S -E '\(Self.program)' listen \(mode) '\(Self.reference)' >address &
      until [ -s address ]; do sleep 0.02; done
      conform run --sdk "$(cat address)" --dialect spec \(words.joined(separator: " "))
      code=$?
      kill $!
      exit $code
      """)
  }

  @Test(
    arguments: [
      Row(mode: "whole", code: 0, says: "an adapter is connected: carried_adapter at 127.0.0.1"),
      Row(mode: "fragments", code: 0, says: "an adapter is connected"),
      Row(mode: "local", code: 0, says: "an adapter is connected"),
      Row(mode: "twice", code: 0, says: "another adapter is turned away: 1 may be connected, as --jobs says"),
      Row(mode: "binary", code: 2, says: "the adapter sent a binary WebSocket message"),
      Row(mode: "unmasked", code: 2, says: "a WebSocket frame of the adapter is not masked"),
      Row(mode: "long", code: 2, says: "a WebSocket message of the adapter is longer than 16777216 bytes"),
      Row(mode: "leaves", code: 2, says: "closed its WebSocket with code 1001: its page was left or loaded again"),
      Row(mode: "vanishes", code: 2, says: "the connection of the adapter's WebSocket was lost"),
      Row(mode: "no-token", code: 2, says: "no adapter is connected: 'python3' exited with code 1"),
      Row(mode: "stranger", code: 2, says: "pages of 'https://example.com' may not open a WebSocket"),
    ])
  func aWebSocketIsUsedOrItsFaultIsNamed(row: Row) async throws {
    let result = try await dialled(row.mode, ["--case", "init.usable"])
    #expect(result.code == row.code, "\(result.output)\(result.errors)")
    #expect(result.errors.contains(row.says), "\(result.errors)")
  }

  @Test(
    arguments: [
      Row(mode: "whole", code: 0, says: ""), Row(mode: "returns", code: 0, says: ""),
      Row(mode: "no-adapter", code: 2, says: "with 404; expected 200 and a stream of events"),
      Row(mode: "redirect", code: 2, says: "with 302, a redirect"),
      Row(mode: "page", code: 2, says: "the media type 'text/html'; expected text/event-stream"),
      Row(mode: "gzip", code: 2, says: "a body in the encoding 'gzip'; expected plain text"),
      Row(mode: "breaks-off", code: 2, says: "before it answered"),
      Row(mode: "refuses", code: 2, says: "answered POST"),
    ])
  func anAddressIsUsedOrItsFaultIsNamed(row: Row) async throws {
    let result = try await asked(row.mode, ["--case", "init.usable"])
    #expect(result.code == row.code, "\(result.output)\(result.errors)")
    #expect(row.says.isEmpty || result.errors.contains(row.says), "\(result.errors)")
  }

  @Test func nothingListensAtAnAddress() async throws {
    let result = try await conform("run", "--sdk", "http://127.0.0.1:1/", "--case", "init.usable")
    #expect(result.code == 2)
    #expect(result.errors.contains("nothing answers at http://127.0.0.1:1/: Connection refused"), "\(result.errors)")
  }

  /// The program for that gets the address, and what it writes is shown.
  @Test(arguments: [
    ("cat <<<\"[$*]\"", "[-t UTF8 -o - ws://127.0.0.1:"), ("exit 1", "--qr needs the program 'qrencode'"),
  ])
  func theAddressIsShownAsACode(script: String, says: String) async throws {
    try folder.write("qrencode", "#!/bin/bash\n\(script)\n")
    let result = try await conform.shell(
      """
      chmod +x qrencode
      PATH="$PWD:$PATH" conform run --sdk ws:// --qr --case init.usable --dialect spec \
        --relaunch "python3 -S -E '\(Self.program)' dial whole '\(Self.reference)'"
      """)
    #expect(result.code == 0 && result.errors.contains(says), "\(result.errors)")
  }

  /// The same cases on all carriers. Only a session over HTTP cannot be killed.
  @Test func verdictsAreEqualOnAllCarriers() async throws {
    let words = ["--feature", "13", "--feature", "9", "--output"]
    let streams = try await conform.run(
      ["run", "--sdk", Self.reference, "--dialect", "spec"] + words + ["streams"])
    #expect(streams.code == 0, "\(streams.output)")
    let expected = try verdicts("streams")
    #expect(try await dialled("whole", words + ["dialled"]).code == 0)
    #expect(try verdicts("dialled") == expected)
    #expect(try await asked("whole", words + ["asked"]).code == 0)
    let asked = try verdicts("asked")
    let impossible = asked.filter { $0.value == "skipped: \(Self.noKill)" }.keys
    #expect(!impossible.isEmpty)
    for name in Set(expected.keys).union(asked.keys).subtracting(impossible) {
      #expect(asked[name] == expected[name], "\(name)")
    }
  }

  private static let noKill = "the case kills the process of the app, and the adapter cannot be killed where it runs"

  private func verdicts(_ output: String) throws -> [String: String] {
    let record = try RunRecord(readingFrom: folder.file("\(output)/run.jsonl"))
    return Dictionary(
      record.rulings.map { ruling in
        let reason = ruling.disposition == .skipped ? ": \(ruling.verdict.outcome.reason ?? "")" : ""
        return ("\(ruling.instance) \(ruling.requirement)", "\(ruling.disposition)\(reason)")
      }, uniquingKeysWith: { one, _ in one })
  }

  @Test(
    arguments: [
      (["--sdk", "./adapter", "--relaunch", "true"], "--relaunch starts an adapter that connects"),
      (["--sdk", "http://127.0.0.1:1/", "--qr"], "--qr shows the address for --sdk ws://"),
      (["--sdk", "http://127.0.0.1:1/", "--listen-on", "::"], "--listen-on is the address for --sdk ws://"),
      (["--relaunch", "true"], "name it with --sdk ws://"),
      (["--sdk", "ws://", "--listen-on", "192.0.2.1"], "the kit cannot listen for adapters"),
      (["--sdk", "ws://10.0.0.1:80"], "the kit cannot listen at 'ws://10.0.0.1:80'"),
      (
        ["--sdk", "ws://", "--relaunch", "no-such-program"], "no adapter is connected: 'no-such-program' does not start"
      ),
    ])
  func optionsThatDoNotFitAreRefused(words: [String], says: String) async throws {
    let result = try await conform.run(["run", "--case", "init.usable"] + words)
    #expect(result.code == 2)
    #expect(result.errors.contains(says), "\(result.errors)")
  }
}
