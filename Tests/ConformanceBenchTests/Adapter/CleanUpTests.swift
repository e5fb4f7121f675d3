import AdapterProtocol
import Foundation
import JSONKit
import Testing

@testable import Adapters
@testable import Processes

/// Nothing stays behind: no process of the group, no zombie, no descriptor, and no writer that a broken pipe ends.
@Suite struct CleanUpTests {
  /// An adapter with a child and a grandchild that ignore SIGTERM and keep its streams open. It reports their ids.
  static let family = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    reader, writer = os.pipe()
    if os.fork() == 0:
        if os.fork() == 0:
            os.write(writer, b"%d %d" % (os.getppid(), os.getpid()))
        signal.pause()
    ids = [int(word) for word in os.read(reader, 100).split()]

    def work(id, method, params):
        if method == "ids": reply(id, ids)
        elif method == "die": os._exit(5)
        else: return False
        return True
    """

  private func isGone(_ id: JSON) -> Bool { kill(pid_t(id.int ?? 0), 0) == -1 && errno == ESRCH }

  @Test(arguments: ["kill", "die"])
  func theWholeFamilyEnds(how: String) async throws {
    let observed = try await ObservedSession.greeted(bend: Self.family)
    guard case .result(.array(let ids)) = try await observed.session.call(AdapterRequest("ids")) else {
      return #expect(Bool(false))
    }
    #expect(ids.count == 2)
    #expect(!ids.contains { isGone($0) })
    if how == "die" { observed.session.send(AdapterRequest("die")) } else { await observed.session.kill() }
    let ending = try await observed.session.ended()
    #expect(ending.exit == (how == "die" ? .exited(code: 5) : .signalled(9)))
    #expect(ids.allSatisfy { isGone($0) })
    observed.expectNothingLeft()
  }

  @Test func whatLeftTheSessionEndsToo() async throws {
    let observed = try await ObservedSession.greeted(
      bend: """
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.setsid()
            os.write(writer, b"%d" % os.getpid())
            signal.pause()
        stranger = int(os.read(reader, 100))
        def work(id, method, params): return method == "stranger" and (reply(id, stranger) or True)
        """)
    guard case .result(let stranger) = try await observed.session.call(AdapterRequest("stranger")) else {
      return #expect(Bool(false))
    }
    #expect(await observed.session.kill().cause == .killed)
    // The process left the session, but not its supervisor.
    #expect(isGone(stranger))
  }

  @Test func aDroppedSessionIsKilled() async throws {
    let adapter = try PythonAdapter()
    let events = AsyncStream<AdapterEvent>.makeStream()
    var session: AdapterSession? = try await AdapterSession.start(adapter.command) { events.continuation.yield($0) }
    #expect(session != nil)
    session = nil
    var iterator = events.stream.makeAsyncIterator()
    #expect(await iterator.next() == .signalled(9))
  }

  @Test func nothingIsLeftAfterManySessions() async {
    await #expect(processExitsWith: .success) {
      // Only descriptors of the kinds that sessions open count, since the runtime may open others at any time.
      func descriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }.filter { $0.hasPrefix("pipe:") || $0.contains("pidfd") }.sorted()
      }
      // A child is listed with the thread that started it, and with another one once that thread has ended.
      func children() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
          try? String(contentsOfFile: "/proc/self/task/\($0)/children", encoding: .utf8)
        }.joined()
      }
      let adapter = try PythonAdapter()
      // The first session starts the fork server, which serves the later ones, too.
      _ = try await AdapterSession.start(adapter.command, limits: .patient) { _ in }.kill()
      let before = try (descriptors(), children())
      for number in 0..<20 {
        let session = try await AdapterSession.start(adapter.command, limits: .patient) { _ in }
        _ = try await session.hello(kit: "conform 0.1.0", protocolName: "parcel")
        _ = number.isMultiple(of: 2) ? await session.kill() : await session.shutDown()
        for arguments in [[], [String(repeating: "x", count: 1 << 18)]] {
          let wrong = ProgramCommand(executable: arguments.isEmpty ? "/" : "/bin/true", arguments: arguments)
          try #require((try? await AdapterSession.start(wrong) { _ in }) == nil)
        }
      }
      // A loop may close the descriptors of its session a moment after the end was reported: those of the last session
      // here, those of the first one above.
      func areBack() throws -> Bool { try descriptors().count <= before.0.count && children() == before.1 }
      for _ in 0..<1000 where try !areBack() { usleep(5000) }
      try #require(descriptors().count <= before.0.count)
      try #require(children() == before.1)
      try #require(waitpid(-1, nil, WNOHANG) <= 0)
    }
  }

  @Test func brokenPipesAreSurvived() async {
    await #expect(processExitsWith: .success) {
      ignoreBrokenPipes()
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      try #require(write(ends[1], "x", 1) == -1 && errno == EPIPE)
    }
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      close(ends[0])
      _ = write(ends[1], "x", 1)
    }
  }

  /// Sessions survive the end of an adapter even in a process that ignores no signals.
  @Test func writingToADeadAdapterIsSurvived() async {
    await #expect(processExitsWith: .success) {
      let session = try await AdapterSession.start(
        ProgramCommand(executable: "/bin/sh", arguments: ["-c", "exec <&-; read x"])
      ) { _ in }
      for _ in 0..<100 { session.send(.ping) }
      await #expect(throws: ProgramFailure.self) { try await session.call(.ping) }
      _ = try await session.ended()
    }
  }
}
