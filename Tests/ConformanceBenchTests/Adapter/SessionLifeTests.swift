import AdapterProtocol
import HTTPValues
import JSONKit
import Synchronization
import Testing

@testable import Adapters
@testable import Processes

/// The life of a session with a working adapter, and its end.
@Suite struct SessionLifeTests {
  @Test func repliesComeInAnyOrderAndEventsInTrueOrder() async throws {
    let observed = try await ObservedSession.greeted(
      bend: """
        held = []
        def work(id, method, params):
            if method == "hold":
                held.append(id)
            elif method == "release":
                log("releasing")
                reply(id)
                callback("d", {"n": 1})
                for other in reversed(held): reply(other, other)
            else:
                return False
            return True
        """)
    let first = observed.session.send(AdapterRequest("hold"))
    let second = observed.session.send(AdapterRequest("hold"))
    let release = observed.session.send(AdapterRequest("release"))
    #expect(try await observed.session.reply(to: first) == .result(.int(first)))
    #expect(try await observed.session.reply(to: second) == .result(.int(second)))
    #expect(
      observed.events.dropFirst() == [
        .output(Octets("releasing\n".utf8)), .reply(id: release, .result(.null)),
        .callback(handle: "d", value: ["n": 1]),
        .reply(id: second, .result(.int(second))), .reply(id: first, .result(.int(first))),
      ])
    await observed.session.shutDown()
    observed.expectNothingLeft()
  }

  /// A held command goes out with the next one, or with a flush.
  @Test(arguments: [true, false])
  func aHeldCommandWaitsForTheNext(isFlushed: Bool) async throws {
    let observed = try await ObservedSession.greeted()
    let session = observed.session
    let held = session.send(.ping, isHeld: true)
    #expect(session.process.holdsCommand)
    if isFlushed { session.flush() } else { session.send(.ping) }
    #expect(!session.process.holdsCommand)
    #expect(try await session.reply(to: held) == .result(.null))
    // No held command is left.
    session.flush()
    #expect(try await session.call(.ping) == .result(.null))
    await session.kill()
  }

  @Test func whatIsLoggedBeforeAReplyComesBeforeIt() async throws {
    let observed = try await ObservedSession.greeted(
      bend: "def work(id, method, params): return method == 'log' and (log(str(id)) or reply(id) or True)")
    var expected: [AdapterEvent] = []
    for _ in 0..<500 {
      let id = observed.session.send(AdapterRequest("log"))
      expected += [.output(Octets("\(id)\n".utf8)), .reply(id: id, .result(.null))]
      _ = try await observed.session.reply(to: id)
    }
    #expect(Array(observed.events.dropFirst()) == expected)
    await observed.session.kill()
  }

  @Test func idsAreToldBeforeAnythingIsWritten() async throws {
    let observed = try await ObservedSession.greeted()
    let told = Told()
    for _ in 0..<20 {
      observed.session.send(.ping) { id in
        #expect(!observed.events.contains(.reply(id: id, .result(.null))))
        told.ids.withLock { $0.append(id) }
      }
    }
    _ = try await observed.session.call(.ping)
    #expect(told.ids.withLock { $0 } == Array(2...21))
    await observed.session.kill()
  }

  private final class Told: Sendable {
    let ids = Mutex<[Int]>([])
  }

  @Test func longLinesGoBothWays() async throws {
    let observed = try await ObservedSession.greeted()
    let text = JSON.string(String(repeating: "x", count: 1 << 20))
    #expect(try await observed.session.call(AdapterRequest("echo", params: ["t": text])) == .result(["t": text]))
    await observed.session.shutDown()
    #expect(observed.breaches.isEmpty)
  }

  @Test func oneProcessIsManyApps() async throws {
    let observed = try await ObservedSession.greeted()
    let session = observed.session
    let launch = AdapterRequest.launch(AdapterLaunch(storage: "/s", clock: .real, epoch: 0))
    var pings: [Int] = []
    for _ in 0..<3 {
      #expect(try await session.call(launch) == .result(.null))
      pings.append(session.send(.ping))
      #expect(try await session.reply(to: pings[pings.count - 1]) == .result(.null))
      #expect(try await session.reply(to: pings[pings.count - 1]) == .result(.null))
      #expect(try await session.call(.quit) == .result(.null))
    }
    let failure = await #expect(throws: ProgramFailure.self) { try await session.reply(to: pings[0]) }
    #expect(failure?.text == "no command since the last launch has the id \(pings[0])")
    #expect(await session.shutDown() == AdapterEnding(cause: .shutdown, exit: .exited(code: 0)))
    let late = await #expect(throws: ProgramFailure.self) { try await session.call(.ping) }
    #expect(late?.kind == .ended)
  }

  @Test func aKillIsAKill() async throws {
    let observed = try await ObservedSession.greeted(
      bend: "def work(id, method, params): return method == 'never' and (log('got it') or callback('d', 1) or True)")
    let id = observed.session.send(AdapterRequest("never"))
    _ = try await observed.session.call(.ping)
    #expect(await observed.session.kill() == AdapterEnding(cause: .killed, exit: .signalled(9)))
    #expect(await observed.session.kill() == AdapterEnding(cause: .killed, exit: .signalled(9)))
    let failure = await #expect(throws: ProgramFailure.self) { try await observed.session.reply(to: id) }
    #expect(failure?.kind == .ended)
    #expect(observed.events.last == .signalled(9))
    #expect(observed.events.contains(.callback(handle: "d", value: 1)))
    #expect(observed.breaches.isEmpty)
    observed.expectNothingLeft()
  }

  struct Ending: CustomTestStringConvertible {
    var testDescription: String
    var bend: String
    var ending: AdapterEnding
    var breaches: [String] = []
    var grace = Duration.seconds(60)
    /// Whether a child of the adapter runs on after its end.
    var leaves = false
  }

  private static let stillRuns = "the adapter still runs after 'shutdown'; expected it to exit. It gets SIGTERM"
  private static let ignoresAll = "the adapter still runs after SIGTERM; expected it to exit. It is killed"

  static let endings = [
    Ending(
      testDescription: "ends at the end of stdin",
      bend: "def work(id, method, params): return method == 'shutdown' and (reply(id) or True)",
      ending: AdapterEnding(cause: .shutdown, exit: .exited(code: 0))),
    Ending(
      testDescription: "exits with another code",
      bend: "def work(id, method, params): return method == 'shutdown' and (reply(id) or sys.exit(4))",
      ending: AdapterEnding(cause: .shutdown, exit: .exited(code: 4)),
      breaches: ["after 'shutdown' the process exited with code 4; expected it to exit with code 0"]),
    Ending(
      testDescription: "follows SIGTERM only",
      bend: "def work(id, method, params): return method == 'shutdown' and (reply(id) or signal.pause())",
      ending: AdapterEnding(cause: .terminated, exit: .signalled(15)), breaches: [stillRuns], grace: .milliseconds(100)),
    Ending(
      testDescription: "ignores SIGTERM",
      bend: """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        def work(id, method, params): return method == 'shutdown' and (reply(id) or signal.pause())
        """,
      ending: AdapterEnding(cause: .forced, exit: .signalled(9)), breaches: [stillRuns, ignoresAll],
      grace: .milliseconds(100)),
    Ending(
      testDescription: "leaves a child behind",
      bend: """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0: signal.pause()
        """,
      ending: AdapterEnding(cause: .shutdown, exit: .exited(code: 0)), leaves: true),
  ]

  @Test(arguments: endings)
  func shutsDown(case wanted: Ending) async throws {
    let observed = try await ObservedSession.greeted(
      bend: wanted.bend, limits: AdapterLimits(reply: .seconds(120), grace: wanted.grace))
    var ending = await observed.session.shutDown()
    #expect(ending.leftovers.count == (wanted.leaves ? 1 : 0))
    ending.leftovers = []
    #expect(ending == wanted.ending)
    #expect(observed.breaches == wanted.breaches)
    observed.expectNothingLeft()
  }

  @Test func theProbeTellsHonestFromLying() async throws {
    let probe = AdapterProbe(seed: 11)
    let honest = try await ObservedSession.greeted()
    #expect(try await probe.run(on: honest.session).isHonest)
    await honest.session.shutDown()
    let liar = try await ObservedSession.greeted(
      bend: "def work(id, method, params): return method != 'hello' and (reply(id) or True)")
    let finding = try await probe.run(on: liar.session)
    #expect(!finding.isHonest)
    #expect(finding.text.contains("the made-up command '\(probe.commands[0])' with null"))
    await liar.session.kill()
  }
}

extension AdapterProcess {
  /// Whether a command waits for the next one.
  fileprivate var holdsCommand: Bool { outbox.withLock(\.isHeld) }
}
