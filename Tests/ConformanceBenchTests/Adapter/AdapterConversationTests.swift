import AdapterProtocol
import ConformanceTranscript
import JSONKit
import Testing

@testable import Adapters
@testable import Processes

@Suite struct AdapterConversationTests {
  typealias Output = AdapterConversation.Output

  static let now = SuspendingClock.now

  /// A conversation that is past its first reply, with the command `work` open under id 2.
  private func working(
    limits: AdapterLimits = AdapterLimits(), checks: MessageChecks = .none
  ) -> AdapterConversation {
    var conversation = AdapterConversation(limits: limits, checks: checks)
    _ = conversation.command(AdapterRequest("hello"), limit: .own, at: Self.now)
    _ = conversation.readOutput(Array(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8) + [0x0A])
    _ = conversation.command(AdapterRequest("work"), limit: .real(.seconds(5)), at: Self.now)
    return conversation
  }

  private func read(_ conversation: inout AdapterConversation, _ lines: String...) -> [Output] {
    conversation.readOutput(lines.flatMap { Array($0.utf8) + [0x0A] })
  }

  private func breaches(in outputs: [Output]) -> [String] {
    outputs.compactMap { if case .event(.breach(let text)) = $0 { text } else { nil } }
  }

  @Test func theLineBehindAnEmptyOneShowsWhatWritesToStdout() {
    var conversation = working()
    #expect(
      breaches(in: read(&conversation, "", "> Task :adapter:run")) == [
        "a line on stdout is not JSON at byte 0: expected a value, found '>'; it is output of Gradle: start the program "
          + "without the tool, or make the tool quiet. It begins: > Task :adapter:run"
      ])
    #expect(
      breaches(in: read(&conversation, "", #"{"jsonrpc":"2.0","id":2,"result":1}"#)) == [
        "stdout has an empty line; expected one message on each line"
      ])
  }

  @Test func writesCommandsWithRisingIds() {
    var conversation = AdapterConversation(limits: AdapterLimits(), checks: .none)
    let first = conversation.command(AdapterRequest("a", params: ["x": 1]), limit: .own, at: Self.now)
    let second = conversation.command(AdapterRequest("b"), limit: .own, at: Self.now)
    #expect(first.id == 1)
    #expect(second.id == 2)
    #expect(first.line == Array(#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}"#.utf8) + [0x0A])
  }

  @Test func repliesInAnyOrder() {
    var conversation = working()
    _ = conversation.command(AdapterRequest("more"), limit: .own, at: Self.now)
    let outputs = read(
      &conversation, #"{"jsonrpc":"2.0","id":3,"result":3}"#,
      #"{"jsonrpc":"2.0","method":"callback","params":{"handle":"d","value":null}}"#,
      #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"m","data":{"kind":"network","status":500}}}"#)
    let error = CommandOutcome.error(CommandError(kind: "network", status: 500, message: "m"))
    #expect(
      outputs == [
        .event(.reply(id: 3, .result(3))), .settled(id: 3, .success(.result(3))),
        .event(.callback(handle: "d", value: .null)), .event(.reply(id: 2, error)), .settled(id: 2, .success(error)),
      ])
  }

  @Test func anUnknownMethodIsUnsupported() {
    var conversation = working()
    let outputs = read(&conversation, #"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"what?"}}"#)
    let error = CommandOutcome.error(CommandError(kind: "unsupported", message: "what?"))
    #expect(outputs == [.event(.reply(id: 2, error)), .settled(id: 2, .success(error))])
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":9,"result":1}"#, "a reply to id 9, which no command has"),
    (#"{"jsonrpc":"2.0","id":0,"result":1}"#, "a reply to id 0, which no command has"),
    (#"{"jsonrpc":"2.0","id":1,"result":1}"#, "a second reply to id 1"),
    (
      #"{"jsonrpc":"2.0","id":7,"method":"ask"}"#,
      "the request 'ask' came from the adapter; expected notifications, which have no id"
    ),
    (#"{"jsonrpc":"2.0","method":"log","params":{}}"#, "the notification 'log' is unknown; expected 'callback'"),
    (
      #"{"jsonrpc":"2.0","method":"callback","params":{"value":1}}"#,
      #"a callback does not fit at $.params.handle: expected a value, found nothing; expected {"handle": …, "value": …}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"callback","params":{"handle":1,"value":1}}"#,
      #"a callback does not fit at $.params.handle: expected a string, found 1; expected {"handle": …, "value": …}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"callback","params":{"handle":"d"}}"#,
      #"a callback does not fit at $.params.value: expected a value, found nothing; expected {"handle": …, "value": …}"#
    ),
    (
      #"{"jsonrpc":"2.0","method":"callback","params":["d",1]}"#,
      #"a callback does not fit at $.params: expected an object, found ["d",1]; expected {"handle": …, "value": …}"#
    ),
    (
      "oops",
      "a line on stdout is not JSON at byte 0: expected a value, found 'o'; logs belong on stderr. It begins: oops"
    ),
  ])
  func aBreachLeavesCommandsOpen(line: String, text: String) {
    var conversation = working()
    #expect(read(&conversation, line) == [.event(.breach(text))])
    #expect(read(&conversation, #"{"jsonrpc":"2.0","id":2,"result":1}"#).first == .event(.reply(id: 2, .result(1))))
  }

  @Test func anUnreadableReplySettlesItsCommand() {
    var conversation = working()
    let outputs = read(&conversation, #"{"jsonrpc":"2.0","id":2}"#)
    let text = breaches(in: outputs).first ?? ""
    #expect(text.contains("expected 'result'"))
    #expect(outputs == [.event(.breach(text)), .settled(id: 2, .failure(ProgramFailure(.broke, text)))])
    #expect(breaches(in: read(&conversation, #"{"jsonrpc":"2.0","id":2,"result":1}"#)) == ["a second reply to id 2"])
  }

  @Test func checksResultsOfTheProtocol() {
    let checks = MessageChecks { command, result in
      command == "work" && result.string == nil
        ? [.init(path: JSONPath([.key("a")]), expected: "a string", found: result.excerpt)] : []
    }
    var conversation = working(checks: checks)
    let outputs = read(&conversation, #"{"jsonrpc":"2.0","id":2,"result":7}"#)
    #expect(
      outputs == [
        .event(.breach("the result of 'work' (id 2) does not fit at $.a: expected a string, found 7")),
        .event(.reply(id: 2, .result(7))), .settled(id: 2, .success(.result(7))),
      ])
    conversation = working(checks: checks)
    #expect(breaches(in: read(&conversation, #"{"jsonrpc":"2.0","id":2,"result":"x"}"#)).isEmpty)
  }

  @Test(
    arguments: [
      ("launch", "null", nil), ("launch", "{}", "$: expected null, found {}"), ("quit", "true", "$: expected null"),
      ("ping", "\"pong\"", "$: expected null, found \"pong\""), ("shutdown", "0", "$: expected null"),
      ("advance", #"{"next":3000}"#, nil), ("advance", #"{"next":null}"#, nil), ("advance", #"{"next":0.5}"#, nil),
      ("advance", "null", "$: expected an object"), ("advance", "{}", "$.next: expected a value, found nothing"),
      ("advance", #"{"next":"soon"}"#, "$.next: expected a number"),
    ] as [(String, String, String?)])
  func checksResultsOfBaseCommands(command: String, result: String, problem: String?) {
    var conversation = working()
    _ = conversation.command(AdapterRequest(command), limit: .own, at: Self.now)
    let found = breaches(in: read(&conversation, #"{"jsonrpc":"2.0","id":3,"result":\#(result)}"#))
    #expect(found.count == (problem == nil ? 0 : 1))
    if let problem { #expect(found[0].hasPrefix("the result of '\(command)' (id 3) does not fit at \(problem)")) }
  }

  @Test(
    arguments: [
      (#"{"code":-32000,"message":"m","data":{"kind":"network"}}"#, "network", nil),
      (#"{"code":-32000,"message":"m","data":{"kind":"unsupported"}}"#, "unsupported", nil),
      (
        #"{"code":-32000,"message":"m","data":{"kind":"weird"}}"#, "weird",
        "$.error.data.kind: expected one of network, timeout, unsupported, found 'weird'"
      ),
      (#"{"code":-32603,"message":"m"}"#, "-32603", "$.error.data.kind: expected a value, found nothing"),
      (
        #"{"code":-32000,"message":"m","data":"network"}"#, "-32000",
        "$.error.data: expected an object, found \"network\""
      ),
      (
        #"{"code":-32000,"message":"m","data":{"kind":"network","status":"500"}}"#, "-32000",
        "$.error.data.status: expected an integer, found \"500\""
      ),
    ] as [(String, String, String?)])
  func checksErrors(error: String, kind: String, problem: String?) {
    var conversation = working(checks: MessageChecks(errorKinds: ["network", "timeout"]) { _, _ in [] })
    let outputs = read(&conversation, #"{"jsonrpc":"2.0","id":2,"error":\#(error)}"#)
    let expected = problem.map { text in
      let code = error.contains("-32603") ? -32603 : -32000
      return ["the error \(code) of 'work' (id 2, \"m\") does not fit at \(text)"]
    }
    #expect(breaches(in: outputs) == expected ?? [])
    let read = CommandOutcome.error(CommandError(kind: kind, message: "m"))
    #expect(outputs.suffix(2) == [.event(.reply(id: 2, read)), .settled(id: 2, .success(read))])
  }
}
