import AdapterProtocol
import HTTPValues
import JSONKit
import Testing

@testable import Adapters
@testable import Processes

/// The end of a conversation: limits, fatal breaches, and the end of the process.
@Suite struct AdapterConversationEndTests {
  typealias Output = AdapterConversation.Output

  static let now = SuspendingClock.now

  private func conversation(
    limits: AdapterLimits = AdapterLimits(), isGreeted: Bool = true
  ) -> AdapterConversation {
    var conversation = AdapterConversation(limits: limits, checks: .none)
    _ = conversation.command(AdapterRequest("hello"), limit: .real(.seconds(1)), at: Self.now)
    if isGreeted { _ = conversation.readOutput(Array(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8) + [0x0A]) }
    return conversation
  }

  @Test func anyBreachBeforeTheFirstReplyIsFatal() {
    var conversation = conversation(isGreeted: false)
    _ = conversation.readErrors(Array("starting up\n".utf8))
    let outputs = conversation.readOutput(Array("Welcome!\nBye!\n".utf8))
    let text =
      "a line on stdout is not JSON at byte 0: expected a value, found 'W'; logs belong on stderr. It begins: Welcome!"
    let failure = ProgramFailure(.broke, text + ". Its stderr ends: starting up")
    #expect(outputs == [.event(.breach(text)), .settled(id: 1, .failure(failure)), .stop(.broke)])
    #expect(conversation.refusal == failure)
    #expect(conversation.readOutput(Array("more\n".utf8)).isEmpty)
  }

  @Test func aLineThatIsTooLongIsFatal() {
    var conversation = conversation(limits: AdapterLimits(lineBytes: 64))
    let outputs = conversation.readOutput([UInt8](repeating: 0x61, count: 65))
    let text = "a line on stdout is longer than 64 bytes. It begins: " + String(repeating: "a", count: 65)
    #expect(outputs == [.event(.breach(text)), .stop(.broke)])
  }

  @Test func tooManyBreachesAreFatal() {
    var conversation = conversation(limits: AdapterLimits(breaches: 3))
    let outputs = conversation.readOutput(Array("1\n2\n3\n4\n".utf8))
    #expect(outputs.count == 5)
    #expect(outputs[3] == .event(.breach("the adapter is stopped: 3 breaches are too many")))
    #expect(outputs[4] == .stop(.broke))
  }

  @Test func tooMuchOutputIsFatalUntilAnotherAppBegins() {
    let callback = Array(#"{"jsonrpc":"2.0","method":"callback","params":{"handle":"d","value":1}}"#.utf8) + [0x0A]
    var conversation = conversation(limits: AdapterLimits(outputBytes: 300))
    #expect(conversation.readOutput(callback + callback + callback).count == 3)
    _ = conversation.command(AdapterRequest("launch"), limit: .own, at: Self.now)
    #expect(conversation.readOutput(callback + callback + callback + callback).count == 4)
    #expect(
      conversation.readOutput(callback).suffix(2).first
        == .settled(id: 2, .failure(ProgramFailure(.broke, "more than 300 bytes came on stdout since the launch"))))
  }

  @Test func tooManyLogsAreNotReportedUntilAnotherAppBegins() {
    var conversation = conversation(limits: AdapterLimits(errorBytes: 4))
    let log = Array("log\n".utf8)
    #expect(conversation.readErrors(log) == [.event(.output(Octets(log)))])
    #expect(conversation.readErrors(log).isEmpty)
    _ = conversation.command(AdapterRequest("launch"), limit: .own, at: Self.now)
    #expect(conversation.readErrors(log) == [.event(.output(Octets(log)))])
    #expect(conversation.errorOutput.total == 12)
  }

  @Test func theFirstCommandPastItsLimitIsHung() {
    var conversation = conversation()
    let slow = conversation.command(AdapterRequest("slow"), limit: .real(.seconds(9)), at: Self.now).id
    let quick = conversation.command(AdapterRequest("quick"), limit: .real(.seconds(3)), at: Self.now).id
    #expect(conversation.deadline == Self.now.advanced(by: .seconds(3)))
    #expect(conversation.expire(at: Self.now.advanced(by: .seconds(2))).isEmpty)
    let failure = ProgramFailure(.hung, "no reply to 'quick' (id 3) within 3.0 seconds")
    #expect(
      conversation.expire(at: Self.now.advanced(by: .seconds(3))) == [
        .event(.hung(id: quick, command: "quick")), .settled(id: quick, .failure(failure)), .stop(.hung),
      ])
    #expect(conversation.expire(at: Self.now.advanced(by: .seconds(99))).isEmpty)
    let end = conversation.end(AdapterEnding(cause: .hung, exit: .signalled(9)))
    #expect(end.first == .event(.signalled(9)))
    guard case .settled(slow, .failure(let other))? = end.last else { return #expect(Bool(false), "\(end)") }
    #expect(other.kind == .hung)
    #expect(
      other.text.hasSuffix(
        "before it answered 'slow' (id 2): it was killed because it did not reply to another command"))
  }

  @Test func whatHasNotReturnedIsNamedWhenASignOfLifeIsMissing() {
    var conversation = conversation()
    let work = conversation.command(AdapterRequest("work"), limit: .unlimited, at: Self.now).id
    let ping = conversation.command(.ping, limit: .real(.seconds(3)), at: Self.now).id
    let text = "no reply to 'ping' (id \(ping)) within 3.0 seconds, and 'work' (id \(work)) has not returned"
    let outputs = conversation.expire(at: Self.now.advanced(by: .seconds(3)))
    #expect(outputs.contains(.settled(id: ping, .failure(ProgramFailure(.hung, text)))))
  }

  @Test func aCommandWithoutALimitNeverHangs() {
    var conversation = conversation()
    _ = conversation.command(AdapterRequest("slow"), limit: .unlimited, at: Self.now)
    #expect(conversation.deadline == nil)
    #expect(conversation.expire(at: Self.now.advanced(by: .seconds(1_000_000))).isEmpty)
  }

  /// The answer to a command that was open at the end of the app, whatever it is and whenever it comes.
  @Test(
    arguments: ["quit", "shutdown"],
    [#""result":7"#, #""error":{"code":-32000,"message":"over","data":{"kind":"ended"}}"#])
  func whatIsAnsweredBecauseOfTheEndIsNoOutcome(method: String, answer: String) {
    var conversation = conversation()
    let first = conversation.command(AdapterRequest("work"), limit: .own, at: Self.now).id
    let second = conversation.command(AdapterRequest("work"), limit: .own, at: Self.now).id
    let end = conversation.command(AdapterRequest(method), limit: .own, at: Self.now).id
    func answered(_ id: Int, _ answer: String) -> [Output] {
      conversation.readOutput(Array(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"#.utf8) + [0x0A])
    }
    #expect(answered(first, answer) == [.event(.ended(id: first)), .settled(id: first, .success(.noReply))])
    #expect(answered(end, #""result":null"#).first == .event(.reply(id: end, .result(.null))))
    #expect(conversation.deadline == nil, "what was ended does not hang")
    _ = conversation.command(AdapterRequest("launch"), limit: .own, at: Self.now)
    #expect(answered(second, answer).first == .event(.ended(id: second)))
  }

  @Test func nothingEndsWithoutBeingTold() {
    var conversation = conversation()
    let id = conversation.command(AdapterRequest("work"), limit: .own, at: Self.now).id
    let line = #"{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"m","data":{"kind":"ended"}}}"#
    #expect(
      conversation.readOutput(Array(line.utf8) + [0x0A]).first
        == .event(
          .breach(
            "the error -32000 of 'work' (id \(id), \"m\") has the kind 'ended', and the kit sent neither 'quit' nor "
              + "'shutdown'")))
  }

  @Test(arguments: [
    (
      AdapterEnding.Cause.itself, ProcessExit.exited(code: 3), ProgramFailure.Kind.died,
      "the adapter exited with code 3 before"
    ),
    (.itself, .signalled(11), .died, "the adapter was ended by signal 11 before"),
    (.killed, .signalled(9), .ended, ": the kit ended it"), (.terminated, .signalled(15), .ended, ": the kit ended it"),
    (.broke, .signalled(9), .broke, "because it broke the adapter protocol"),
  ])
  func theEndSettlesWhatIsOpen(
    cause: AdapterEnding.Cause, exit: ProcessExit, kind: ProgramFailure.Kind, text: String
  ) {
    var conversation = conversation()
    let id = conversation.command(AdapterRequest("work"), limit: .own, at: Self.now).id
    _ = conversation.readErrors(Array("boom".utf8))
    let outputs = conversation.end(AdapterEnding(cause: cause, exit: exit))
    #expect(outputs.first == .event(.output(Octets("boom".utf8))))
    #expect(outputs.count == 3)
    guard case .settled(id, .failure(let failure))? = outputs.last else { return #expect(Bool(false), "\(outputs)") }
    #expect(failure.kind == kind)
    #expect(failure.text.contains(text))
    #expect(failure.text.hasSuffix("Its stderr ends: boom") == (kind == .died))
    #expect(conversation.refusal?.kind == (cause == .itself ? .died : .ended))
  }

  @Test(arguments: [(AdapterEnding.Cause.itself, true), (.shutdown, true), (.killed, false), (.forced, false)])
  func aLineWithoutEndIsABreachUnlessTheKitCutIt(cause: AdapterEnding.Cause, isBreach: Bool) {
    var conversation = conversation()
    _ = conversation.readOutput(Array(#"{"jsonrpc":"#.utf8))
    let outputs = conversation.end(AdapterEnding(cause: cause, exit: .exited(code: 0)))
    let text = #"stdout ended in the middle of a line. It begins: {"jsonrpc":"#
    #expect(outputs == (isBreach ? [.event(.breach(text))] : []) + [.event(.exited(code: 0))])
  }

  @Test(
    arguments: [
      (ProcessExit.exited(code: 0), nil),
      (.exited(code: 3), "after 'shutdown' the process exited with code 3; expected it to exit with code 0"),
      (.signalled(11), "after 'shutdown' the process was ended by signal 11; expected it to exit with code 0"),
    ] as [(ProcessExit, String?)])
  func shutdownEndsWithCodeZero(exit: ProcessExit, text: String?) {
    var conversation = conversation()
    let outputs = conversation.end(AdapterEnding(cause: .shutdown, exit: exit))
    #expect(outputs.dropLast() == (text.map { [.event(.breach($0))] } ?? []))
  }
}
