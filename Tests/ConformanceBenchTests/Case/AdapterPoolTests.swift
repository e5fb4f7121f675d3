import AdapterProtocol
import JSONKit
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Adapters
@testable import Processes

/// The processes of one adapter: who gets which, and what becomes of those that come back.
@Suite struct AdapterPoolTests {
  private static let one = "HELLO[\"instances\"] = \"one\""

  private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

  private func pool(_ adapter: PythonAdapter) -> AdapterPool {
    AdapterPool(
      command: adapter.command, definition: Sample.definition, kit: "k", limits: .patient, checks: .none, now: { .now })
  }

  /// How a process comes back, and whether the next case gets it.
  @Test(arguments: [("", true, true), ("", false, false), (one, true, false)])
  func aHealthyProcessServesTheNextCase(bend: String, isHealthy: Bool, isKept: Bool) async throws {
    let adapter = try PythonAdapter(bend: bend)
    let pool = pool(adapter)
    let first = try await pool.take(on: loop)
    let ending = await pool.giveBack(first, isHealthy: isHealthy)
    #expect((ending == nil) == isKept)
    #expect(first.session.isAlive == isKept)
    let second = try await pool.take(on: loop)
    #expect((second === first) == isKept)
    await pool.giveBack(second, isHealthy: false)
    await pool.close()
  }

  /// A case hears its process on its own loop: one that is heard on another does not serve it.
  @Test func aProcessServesTheCasesOfItsLoop() async throws {
    let adapter = try PythonAdapter(bend: "")
    let pool = pool(adapter)
    let loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let (here, there) = (loops.next(), loops.next())
    let first = try await pool.take(on: here)
    await pool.giveBack(first, isHealthy: true)
    let second = try await pool.take(on: there)
    #expect(second !== first)
    #expect(second.session.eventLoop === there)
    #expect(try await pool.take(on: here) === first)
    for worker in [first, second] { await pool.end(worker, .kill) }
    try await loops.shutdownGracefully()
  }

  @Test func whoDiedWhileNobodyUsedItIsReplaced() async throws {
    let adapter = try PythonAdapter(bend: "")
    let pool = pool(adapter)
    let first = try await pool.take(on: loop)
    await pool.giveBack(first, isHealthy: true)
    await first.session.kill()
    let second = try await pool.take(on: loop)
    #expect(second !== first)
    #expect(second.session.isAlive)
    await pool.giveBack(second, isHealthy: true)
    await pool.close()
    #expect(!second.session.isAlive)
  }

  /// An adapter that says yes to everything is not believed.
  @Test(arguments: [
    ("", true),
    (
      "def work(id, method, params):\n    if method not in (\"hello\", \"shutdown\"):\n        reply(id)\n        return True",
      false
    ),
  ])
  func whoItIsAndWhetherItIsHonestIsFoundOutFirst(bend: String, isHonest: Bool) async throws {
    let adapter = try PythonAdapter(bend: bend)
    let pool = pool(adapter)
    let (hello, subject) = try await pool.meet(seed: 1)
    #expect(hello.name == "parcel-py")
    #expect(subject.isHonest == isHonest)
    #expect(pool.hello == hello)
    // The process that was asked serves the first case: it has had more commands than the first one of all.
    let worker = try await pool.take(on: CaseLoops.shared.first)
    #expect(worker.session.isAlive)
    #expect(worker.session.send(.ping) > 2)
    await pool.giveBack(worker, isHealthy: true)
    await pool.close()
  }

  @Test func whatAProcessSaysReachesTheCaseThatHasIt() async throws {
    let adapter = try PythonAdapter(
      bend: "def work(id, method, params):\n    if method == \"tell\":\n        callback(\"h\", params[\"n\"])")
    let pool = pool(adapter)
    let worker = try await pool.take(on: loop)
    var heard: [[JSON]] = []
    for number in 1...2 {
      let log = LockedLog()
      worker.listen(.init(backlog: { nil }) { log.append($0) })
      _ = try await worker.session.call(AdapterRequest("tell", params: ["n": .int(number)]))
      worker.listen(nil)
      heard.append(log.callbacks)
    }
    #expect(heard == [[1], [2]])
    await pool.giveBack(worker, isHealthy: false)
  }
}

/// The values of callbacks that came.
private final class LockedLog: Sendable {
  private let events = Mutex<[AdapterEvent]>([])

  var callbacks: [JSON] {
    events.withLock(\.self).compactMap { if case .callback(_, let value) = $0 { value } else { nil } }
  }

  func append(_ event: AdapterEvent) { events.withLock { $0.append(event) } }
}
