import AdapterProtocol
import ConformanceTranscript
import FoundationEssentials
import JSONKit
import Synchronization
import Testing

@testable import Adapters
@testable import Processes

/// The Swift side of the adapter protocol, with an app that belongs to none of the kit's protocols.
@Suite struct AdapterHostTests {
  /// The events of the session that are not replies.
  private final class Log: Sendable {
    private let events = Mutex<[AdapterEvent]>([])

    var callbacks: [JSON] {
      events.withLock(\.self).compactMap { if case .callback(_, let value) = $0 { value } else { nil } }
    }
    var breaches: [String] {
      events.withLock(\.self).compactMap { if case .breach(let text) = $0 { text } else { nil } }
    }

    func append(_ event: AdapterEvent) { events.withLock { $0.append(event) } }
  }

  /// Where the executables of the build lie.
  private static let folder: String = {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: program).deletingLastPathComponent().path
  }()

  private let log = Log()

  private func session() async throws -> AdapterSession {
    let session = try await AdapterSession.start(
      ProgramCommand(executable: "\(Self.folder)/ParcelAdapter"), limits: AdapterLimits(reply: .seconds(300))
    ) { [log] in log.append($0) }
    _ = try await session.hello(kit: "k", protocolName: "parcel")
    return session
  }

  private func launched(_ environment: JSON.Object = [:]) async throws -> AdapterSession {
    let session = try await session()
    let launch = AdapterLaunch(storage: "/tmp", clock: .virtual, epoch: 1000, environment: environment)
    #expect(try await session.call(.launch(launch)) == .result(.null))
    return session
  }

  @Test func itSaysWhoItIs() async throws {
    let session = try await session()
    let hello = try await session.hello(kit: "k", protocolName: "parcel")
    #expect(hello.name == "parcel-swift")
    #expect(hello.clocks == [.virtual, .scaled, .real])
    #expect(hello.declares == ["retryWindowMs": 30])
    let ending = await session.shutDown()
    #expect(ending.exit == .exited(code: 0))
    #expect(log.breaches == [])
  }

  /// A command with its parameters, and its outcome.
  @Test(
    arguments: [
      ("echo", ["a": 1.5], .result(["a": 1.5])),
      ("refuse", [:], .error(CommandError(kind: "refused", status: 409, message: "no"))),
    ] as [(String, JSON.Object, CommandOutcome)])
  func aCommandReachesTheApp(name: String, params: JSON.Object, outcome: CommandOutcome) async throws {
    let session = try await launched()
    #expect(try await session.call(AdapterRequest(name, params: params)) == outcome)
    #expect(log.breaches == [])
    await session.kill()
  }

  @Test func aCommandThatNobodyKnowsIsUnsupported() async throws {
    let session = try await launched()
    guard case .error(let error) = try await session.call(AdapterRequest("qwertz")) else {
      Issue.record("an answer to a command that is not there")
      return
    }
    #expect(error.kind == CommandError.unsupported)
    await session.kill()
  }

  @Test func whatSurroundsTheAppChangesWhileItRuns() async throws {
    let session = try await launched(["language": "de", "online": true])
    func surround(_ facts: JSON.Object) async throws -> CommandOutcome {
      try await session.call(AdapterRequest(AdapterRequest.surroundings, params: facts))
    }
    #expect(try await surround(["online": false]) == .result(.null))
    #expect(try await session.call(AdapterRequest("world")) == .result(["language": "de", "online": false]))
    guard case .error(let error) = try await surround(["moon": true]) else {
      Issue.record("a fact that nobody can know of was taken")
      return
    }
    #expect(error.kind == CommandError.unsupported)
    await session.kill()
  }

  @Test func withoutAnAppNothingSurroundsIt() async throws {
    let session = try await session()
    let outcome = try await session.call(AdapterRequest(AdapterRequest.surroundings, params: ["online": false]))
    guard case .error = outcome else {
      Issue.record("\(outcome)")
      return
    }
    await session.kill()
  }

  @Test func theClockGoesFromTimerToTimer() async throws {
    let session = try await launched()
    let id = session.send(AdapterRequest("later", params: ["ms": 500]))
    #expect(
      try await session.call(.advance(to: .zero, inFlight: 0))
        == .result(AdvanceReply(next: .milliseconds(500)).representation))
    #expect(log.callbacks == [])
    #expect(try await session.call(.advance(to: .seconds(2), inFlight: 0)) == .result(["next": .null]))
    #expect(try await session.reply(to: id) == .result(1500))
    #expect(log.callbacks == [1500])
    #expect(try await session.call(AdapterRequest("time")) == .result(3000))
    await session.kill()
  }

  /// The answer is written before the app runs the next command, even if the commands arrived in one piece.
  @Test(arguments: [["die"], ["dieSoon", "advance"]])
  func anAnswerOutlivesTheApp(ends: [String]) async throws {
    let session = try await launched()
    let answered = session.send(AdapterRequest("echo", params: ["a": 1]), isHeld: true)
    for end in ends {
      let params: JSON.Object = end == "advance" ? ["to": 0, "inFlight": 0] : [:]
      session.send(AdapterRequest(end, params: params), isHeld: end != ends.last)
    }
    #expect(try await session.reply(to: answered) == .result(["a": 1]))
    #expect(try await session.ended().exit == .exited(code: 3))
  }

  /// When the app ends, every open command gets the answer that no reply came, and `quit` is answered after that.
  @Test func whatIsOpenEndsWithTheApp() async throws {
    let session = try await launched()
    let open = session.send(AdapterRequest("never"))
    #expect(try await session.call(.quit) == .result(.null))
    #expect(try await session.reply(to: open) == .noReply)
    // Another app shares nothing with the one that ended.
    #expect(
      try await session.call(.launch(AdapterLaunch(storage: "/tmp", clock: .virtual, epoch: 7))) == .result(.null))
    #expect(try await session.call(AdapterRequest("world")) == .result([:]))
    #expect(try await session.call(AdapterRequest("time")) == .result(7))
    #expect(log.breaches == [])
    #expect(await session.shutDown().exit == .exited(code: 0))
  }
}
