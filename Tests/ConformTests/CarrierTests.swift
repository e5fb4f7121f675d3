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
      Row(mode: "no-token", code: 2, says: "is refused with 401: the token is missing or wrong"),
      Row(mode: "stranger", code: 2, says: "is refused with 403: pages of 'https://example.com' may not open"),
      Row(mode: "old-version", code: 2, says: "is refused with 426: the version of the WebSocket protocol is '8'"),
      Row(mode: "post", code: 2, says: "is refused with 405: a WebSocket is opened with GET, found POST"),
      Row(mode: "two-origins", code: 2, says: "is refused with 400: the request has several header fields 'Origin'"),
      Row(
        mode: "control-character", code: 2,
        says: "is refused with 400: the request for a WebSocket cannot be read: a header field has a character"),
      Row(mode: "batch", code: 2, says: "a message of the adapter is a batch; expected one JSON object in each"),
      Row(mode: "compressed", code: 2, says: "has a reserved bit; expected none"),
      Row(mode: "opcode", code: 2, says: "has the reserved opcode 3; expected text, ping, pong or close"),
      Row(mode: "control-opcode", code: 2, says: "has the reserved opcode 11"),
      Row(mode: "interleaved", code: 2, says: "begins a message before the message before it has ended"),
      Row(mode: "continues", code: 2, says: "continues a message that has not begun"),
      Row(mode: "many-fragments", code: 2, says: "has more than 16384 fragments"),
      Row(mode: "long-ping", code: 2, says: "a ping, pong or close frame of the adapter has more than 125 bytes"),
      Row(mode: "ping-in-parts", code: 2, says: "a ping, pong or close frame of the adapter is a fragment"),
      Row(mode: "close-without-code", code: 2, says: "closed its WebSocket without a code"),
      Row(mode: "close-1005", code: 2, says: "with code 1005, which no close frame may have"),
      Row(mode: "close-of-a-byte", code: 2, says: "close frame has a payload of one byte"),
      Row(mode: "close-1000", code: 2, says: "the adapter closed its connection before it answered 'hello'"),
      Row(mode: "reset", code: 2, says: "the connection of the adapter's WebSocket was lost: Connection reset by peer"),
    ])
  func aWebSocketIsUsedOrItsFaultIsNamed(row: Row) async throws {
    let result = try await dialled(row.mode, ["--case", "init.usable"])
    #expect(result.code == row.code, "\(result.output)\(result.errors)")
    #expect(result.errors.contains(row.says), "\(result.errors)")
    Self.expectWordsForPeople(result.errors)
  }

  /// No name of the code, and no word about the streams of a process that the kit has not started.
  private static func expectWordsForPeople(_ errors: String) {
    for word in ["stdout", "stderr", "exited with code 0", "errno", "descriptor", "Error."] {
      #expect(!errors.contains(word) || errors.contains("'python3' exited with"), "'\(word)' in \(errors)")
    }
  }

  @Test(
    arguments: [
      Row(mode: "whole", code: 0, says: ""), Row(mode: "returns", code: 0, says: ""),
      Row(mode: "mark", code: 0, says: ""), Row(mode: "charset", code: 0, says: ""),
      Row(mode: "silent", code: 2, says: "has accepted the connection, but has not answered GET http://127.0.0.1:"),
      Row(mode: "banner", code: 2, says: "cannot be read: the message is not HTTP/1.1"),
      Row(mode: "other-version", code: 2, says: "cannot be read: the version of HTTP is not 1.0 or 1.1"),
      Row(mode: "long-head", code: 2, says: "cannot be read: the head of the message is too long"),
      Row(mode: "coded", code: 2, says: "a body in the encoding 'gzip'"),
      Row(mode: "not-modified", code: 2, says: "with 304; expected 200 and a stream of events"),
      Row(mode: "other-type", code: 2, says: "the media type 'text/event-streamish'; expected text/event-stream"),
      Row(mode: "compressed", code: 2, says: "the stream is compressed by gzip, and no header says so"),
      Row(mode: "without-data", code: 2, says: "the stream has a line without the name of a field; expected 'data: '"),
      Row(mode: "without-end", code: 2, says: "the last event of the stream is not ended; expected an empty line"),
      Row(mode: "never-accepts", code: 2, says: "has not answered POST http://127.0.0.1:"),
      Row(mode: "replies-at-once", code: 2, says: "answered a POST with a body; expected 202 without a body"),
      Row(mode: "says-200", code: 2, says: "with 200; expected 202"),
      Row(mode: "accepts-compressed", code: 2, says: "a body in the encoding 'gzip'"),
      Row(mode: "batch", code: 2, says: "a message of the adapter is a batch"),
      Row(mode: "no-adapter", code: 2, says: "with 404; expected 200 and a stream of events"),
      Row(mode: "redirect", code: 2, says: "with 302, a redirect"),
      Row(mode: "page", code: 2, says: "the media type 'text/html'; expected text/event-stream"),
      Row(mode: "gzip", code: 2, says: "a body in the encoding 'gzip'; expected plain text"),
      Row(mode: "breaks-off", code: 2, says: "before it answered"),
      Row(mode: "refuses", code: 2, says: "answered POST"),
    ])
  func anAddressIsUsedOrItsFaultIsNamed(row: Row) async throws {
    let result = try await asked(row.mode, ["--case", "init.usable", "--time-limit", "10"])
    #expect(result.code == row.code, "\(result.output)\(result.errors)")
    #expect(row.says.isEmpty || result.errors.contains(row.says), "\(result.errors)")
    Self.expectWordsForPeople(result.errors)
  }

  /// Each session of this adapter has another version, as a second tab with another build has.
  @Test func anotherSDKInTheSameRunIsNotJudged() async throws {
    let kills = ["--case", "api.key.forgotten"]
    let result = try await dialled("other-sdk", kills)
    #expect(result.code != 0, "\(result.output)")
    let says = "another adapter than at the beginning of the run answered 'hello': its version of the SDK is '2."
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(says), "\(result.output)\(result.errors)")
  }

  @Test func theDoctorStartsAnAppThatConnects() async throws {
    let result = try await conform.run([
      "doctor", "--sdk", "ws://", "--relaunch", "python3 -S -E '\(Self.program)' dial whole '\(Self.reference)'",
    ])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("100 %"))
  }

  @Test func theDoctorOfAnAddressSpeaksOfTheConnection() async throws {
    let result = try await conform("doctor", "--sdk", "http://127.0.0.1:1/")
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("nothing answers at http://127.0.0.1:1/: Connection refused"), "\(result.output)")
    #expect(words.contains("Fix: Repair the connection as spec/kit/carriers.md describes it"), "\(result.output)")
    #expect(!words.contains("stdin") && !words.contains("stderr") && !words.contains("exited"), "\(result.output)")
  }

  /// The address of the recommended command contains all that the run needed.
  @Test func aFailingRunRecommendsTheDoctorWithItsOptions() async throws {
    let result = try await dialled("binary", ["--case", "init.usable"])
    #expect(result.errors.contains("doctor --sdk ws:// --relaunch 'python3 -S -E "), "\(result.errors)")
  }

  /// Tunnels such as `adb reverse` carry one port each.
  @Test func mockServersListenAtTheGivenPortsAndAddress() async throws {
    let words = [
      "run", "--sdk", Self.reference, "--dialect", "spec", "--case", "init.usable", "--trace", "--mock-port", "29217",
    ]
    let result = try await conform.run(words)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let places = Set(result.output.matches(of: /127\.0\.0\.\d+:\d+/).map { String($0.output) })
    #expect(places == ["127.0.0.1:29217"], "\(result.output)")
    // The protocol refuses plain HTTP at other hosts than 127.0.0.1, and the message of the SDK names the host.
    let elsewhere = try await conform.run(words + ["--mock-host", "127.0.0.9", "--force"])
    #expect(elsewhere.output.contains("http://127.0.0.9:29217"), "\(elsewhere.output)\(elsewhere.errors)")
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
      (
        ["--sdk", "ws://", "--listen-on", "192.0.2.1"],
        "the kit cannot listen for adapters at 192.0.2.1:0 (--sdk ws://:PORT and --listen-on ADDRESS choose another "
          + "place): Cannot assign requested address"
      ),
      (["--sdk", "ws://", "--listen-on", "host.invalid"], "the host name 'host.invalid' cannot be resolved"),
      (["--sdk", "http://host.invalid/"], "the host name 'host.invalid' cannot be resolved"),
      (["--sdk", "ws:"], "'ws:' is not an address of an adapter"),
      (["--sdk", "HTTP://127.0.0.1:1/"], "nothing answers at http://127.0.0.1:1/"),
      (["--mock-port", "9200"], "--mock-port and --mock-host are about an SDK under test"),
      (["--sdk", "./adapter", "--mock-port", "0"], "--mock-port expects a number from 1 to 65000, found 0"),
      (["--sdk", "./adapter", "--mock-port", "9200", "--jobs", "2"], "so one case runs at a time: leave out --jobs"),
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
