import AdapterProtocol
import HTTPValues
import JSONKit
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Adapters
@testable import Processes

/// Adapters that fail in the middle. Each affects its own session only, is reported precisely, and leaves nothing
/// behind.
@Suite struct HostileAdapterTests {
  /// Calls the command `work`, in which the adapter fails, and waits for the end.
  private func endOfWork(_ observed: ObservedSession) async throws -> (ProgramFailure?, AdapterEnding) {
    let failure = await #expect(throws: ProgramFailure.self) { try await observed.session.call(AdapterRequest("work")) }
    let ending = try await observed.session.ended()
    observed.expectNothingLeft()
    return (failure, ending)
  }

  private func bend(_ lines: String...) -> String {
    """
    def work(id, method, params):
        if method != "work": return False
        \(lines.joined(separator: "\n    "))
        return True
    """
  }

  @Test(arguments: [
    ("os._exit(7)", ProcessExit.exited(code: 7)), ("os.kill(os.getpid(), signal.SIGABRT)", .signalled(6)),
    ("os.kill(os.getpid(), signal.SIGKILL)", .signalled(9)), ("os.killpg(0, signal.SIGTERM)", .signalled(15)),
    ("os._exit(0)", .exited(code: 0)),
  ])
  func dies(action: String, exit: ProcessExit) async throws {
    let observed = try await ObservedSession.greeted(bend: bend("log('goodbye')", action))
    let (failure, ending) = try await endOfWork(observed)
    #expect(failure?.kind == .died)
    #expect(failure?.text == "the adapter \(exit) before it answered 'work' (id 2). Its stderr ends: goodbye")
    #expect(ending == AdapterEnding(cause: .itself, exit: exit))
    let last: AdapterEvent =
      switch exit {
      case .exited(let code): .exited(code: code)
      case .signalled(let signal): .signalled(signal)
      }
    #expect(Array(observed.events.suffix(2)) == [.output(Octets("goodbye\n".utf8)), last])
  }

  @Test func diesInTheMiddleOfALine() async throws {
    let observed = try await ObservedSession.greeted(bend: bend(#"write('{"jsonrpc": "2.0", "id"')"#, "os._exit(1)"))
    #expect(try await endOfWork(observed).0?.kind == .died)
    #expect(
      observed.events.suffix(2) == [
        .breach(#"stdout ended in the middle of a line. It begins: {"jsonrpc": "2.0", "id""#), .exited(code: 1),
      ])
  }

  @Test func hangs() async throws {
    let observed = try await ObservedSession.greeted(bend: bend("pass"))
    let id = observed.session.send(AdapterRequest("work"), limit: .real(.milliseconds(200)))
    let failure = await #expect(throws: ProgramFailure.self) { try await observed.session.reply(to: id) }
    #expect(failure == ProgramFailure(.hung, "no reply to 'work' (id 2) within 0.2 seconds"))
    #expect(try await observed.session.ended() == AdapterEnding(cause: .hung, exit: .signalled(9)))
    #expect(observed.events.suffix(2) == [.hung(id: 2, command: "work"), .signalled(9)])
    observed.expectNothingLeft()
  }

  @Test func hangsWithoutReading() async throws {
    let observed = try await ObservedSession.greeted(
      bend: bend("signal.pause()"),
      limits: AdapterLimits(reply: .milliseconds(500), grace: .seconds(60)))
    observed.session.send(AdapterRequest("work"), limit: .real(.seconds(120)))
    let large = AdapterRequest("echo", params: ["text": .string(String(repeating: "x", count: 1 << 20))])
    let ids = (0..<8).map { _ in observed.session.send(large) }
    let failure = await #expect(throws: ProgramFailure.self) { try await observed.session.reply(to: ids[0]) }
    #expect(failure?.kind == .hung)
    #expect(try await observed.session.ended().cause == .hung)
    for id in ids.dropFirst() {
      let other = await #expect(throws: ProgramFailure.self) { try await observed.session.reply(to: id) }
      #expect(other?.kind == .hung)
    }
    observed.expectNothingLeft()
  }

  @Test func floodsWithUnknownNotifications() async throws {
    let observed = try await ObservedSession.greeted(bend: bend("while True: send({'method': 'tick', 'params': {}})"))
    let (failure, ending) = try await endOfWork(observed)
    #expect(failure?.kind == .broke)
    #expect(ending == AdapterEnding(cause: .broke, exit: .signalled(9)))
    #expect(observed.breaches.count == 101)
    #expect(observed.breaches.first == "the notification 'tick' is unknown; expected 'callback'")
    #expect(observed.breaches.last == "the adapter is stopped: 100 breaches are too many")
  }

  @Test func floodsWithCallbacks() async throws {
    var limits = AdapterLimits.patient
    limits.outputBytes = 1 << 20
    let observed = try await ObservedSession.greeted(
      bend: bend("while True: callback('d', 'x' * 1000)"), limits: limits)
    let (failure, ending) = try await endOfWork(observed)
    #expect(failure?.text == "more than 1048576 bytes came on stdout since the launch")
    #expect(ending.cause == .broke)
  }

  /// While events are not processed, no more output is read.
  @Test func isReadNoFasterThanItIsHeard() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (isBehind, isHeard) = (loop.makePromise(of: Void.self), loop.makePromise(of: Void.self))
    let heard = Atomic(0)
    let observed = try await ObservedSession(
      bend: bend("for n in range(20000): callback('d', 'x' * 100)", "reply(id, 'done')"),
      backlog: {
        guard heard.load(ordering: .relaxed) > 1000 else { return nil }
        isBehind.succeed()
        return isHeard.futureResult
      }, hear: { _ in heard.add(1, ordering: .relaxed) })
    _ = try await observed.session.hello(kit: "conform 0.1.0", protocolName: "parcel")
    async let outcome = observed.session.call(AdapterRequest("work"))
    try await isBehind.futureResult.get()
    let before = observed.events.count
    try await loop.scheduleTask(in: .milliseconds(50)) {}.futureResult.get()
    #expect(observed.events.count == before)
    #expect(before < 20000)
    isHeard.succeed()
    #expect(try await outcome == .result("done"))
    // The answer to hello, the callbacks, and the answer.
    #expect(observed.events.count == 20002)
    await observed.session.kill()
  }

  @Test func floodsStderr() async throws {
    let observed = try await ObservedSession.greeted(
      bend: bend("for n in range(8000): log('%06d ' % n + 'x' * 1016)", "reply(id, 'done')"))
    #expect(try await observed.session.call(AdapterRequest("work")) == .result("done"))
    _ = await observed.session.shutDown()
    #expect(observed.output.count == 256 << 10)
    #expect(observed.output.starts(with: "000000 xxx".utf8))
    #expect(observed.session.errorOutput.total == 8000 * 1024)
    #expect(observed.session.errorOutput.tail.bytes.count == 256 << 10)
    #expect(observed.session.errorOutput.tail.text.contains("\n007999 x"))
    observed.expectNothingLeft()
  }

  @Test func saysMoreThanALine() async throws {
    let observed = try await ObservedSession.greeted(bend: bend("write('x' * (9 << 20))"))
    let (failure, ending) = try await endOfWork(observed)
    #expect(failure?.text.hasPrefix("a line on stdout is longer than 8388608 bytes. It begins: xxx") == true)
    #expect(ending.cause == .broke)
  }

  @Test func closesItsStreams() async throws {
    var limits = AdapterLimits.patient
    limits.grace = .milliseconds(100)
    for (descriptor, name) in [(0, "stdin"), (1, "stdout")] {
      let observed = try await ObservedSession.greeted(
        bend: bend("os.close(\(descriptor))", "signal.pause()"), limits: limits)
      let (failure, ending) = try await endOfWork(observed)
      #expect(failure?.text == "the adapter closed its \(name) and did not exit; expected it open until the end")
      #expect(ending == AdapterEnding(cause: .broke, exit: .signalled(9)))
    }
  }

  @Test func breachesThatCostNothingMore() async throws {
    let observed = try await ObservedSession.greeted(
      bend: bend(
        "print('debug: working', flush=True)", "os.write(1, b'\\xff\\xfe\\n')", "reply(99)", "reply(1)", "reply(id, 7)"),
      checks: MessageChecks { command, result in
        command == "work" && result.string == nil ? [JSONField(result).problem(expected: "a string")] : []
      })
    #expect(try await observed.session.call(AdapterRequest("work")) == .result(7))
    #expect(
      observed.breaches == [
        "a line on stdout is not JSON at byte 0: expected a value, found 'd'; logs belong on stderr. It begins: debug: working",
        #"a line on stdout is not UTF-8 at byte 0. It begins: \xFF\xFE"#, "a reply to id 99, which no command has",
        "a second reply to id 1", "the result of 'work' (id 2) does not fit at $: expected a string, found 7",
      ])
    #expect(await observed.session.shutDown().cause == .shutdown)
    observed.expectNothingLeft()
  }
}
