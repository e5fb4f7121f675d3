import ConformanceModel
import ConformanceProvisioning
import ConformanceWire
import HTTPValues
import JSONKit
import Synchronization
import Templates
import Testing

@testable import Processes
@testable import Subjects

/// Subjects that serve one case at a time, and how they are started.
@Suite struct SlotTests {
  private static let noChecks = try? CommandChecks(operatorsOf: Sample.definition)

  private func pool(_ count: Int, make: @escaping @Sendable () async throws -> Slot) throws -> SlotPool {
    SlotPool(.slots(count: count, make: make), client: WireClient(), checks: try #require(Self.noChecks))
  }

  private static func shell(_ script: String) throws -> SubjectProcess {
    try SubjectProcess.start(ProgramCommand(executable: "sh", arguments: ["-c", script]), in: "/")
  }

  private static let server = ServerUnderTest(addresses: [:])

  @Test func neverMoreThanSoManyAreUsedAtOnce() async throws {
    let made = Count()
    let used = Count()
    let pool = try pool(3) {
      _ = made.enter()
      return Slot(server: Self.server)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let slot = try #require(try await pool.take(Sample.dialect))
          _ = used.enter()
          await Task.yield()
          used.leave()
          await pool.giveBack(slot)
        }
      }
      try await group.waitForAll()
    }
    #expect((1...3).contains(used.most))
    #expect((1...3).contains(made.most))
  }

  @Test func whoFindsNoneFreeWaitsForTheNext() async throws {
    let pool = try pool(1) { Slot(server: Self.server) }
    let first = try #require(try await pool.take(Sample.dialect))
    async let second = pool.take(Sample.dialect)
    await Task.yield()
    await pool.giveBack(first)
    #expect(try await second === first)
  }

  @Test func oneThatCannotBeMadeTakesNobodysPlace() async throws {
    let tries = Count()
    let pool = try pool(1) {
      if tries.enter() == 1 { throw ProvisioningProblem("not yet") }
      return Slot(server: Self.server)
    }
    await #expect(throws: ProvisioningProblem.self) { _ = try await pool.take(Sample.dialect) }
    #expect(try await pool.take(Sample.dialect) != nil)
  }

  @Test(arguments: [true, false])
  func aDeadProcessIsReplaced(beforeItComesBack: Bool) async throws {
    let pool = try pool(1) { Slot(server: Self.server, process: try Self.shell("sleep 1000")) }
    let first = try #require(try await pool.take(Sample.dialect))
    if beforeItComesBack { await first.process?.end() }
    await pool.giveBack(first)
    if !beforeItComesBack { await first.process?.end() }
    let second = try #require(try await pool.take(Sample.dialect))
    #expect(second !== first)
    #expect(second.process?.hasEnded == false)
    await pool.giveBack(second)
    await pool.close()
    #expect(second.process?.hasEnded == true)
  }

  /// One process serves all cases at once. After its end the next case replaces it, once.
  @Test func aSharedProcessThatDiedIsReplacedOnce() async throws {
    let made = Count()
    let pool = SlotPool(
      .process([Sample.dialect]) {
        _ = made.enter()
        return Slot(server: Self.server, process: try Self.shell("exec sleep 1000"), isShared: true)
      }, client: WireClient(), checks: try #require(Self.noChecks))
    #expect(try await pool.take("another") == nil)
    let first = try #require(try await pool.take(Sample.dialect))
    #expect(try await pool.take(Sample.dialect) === first)
    await first.process?.end()
    let others = try await withThrowingTaskGroup(of: Slot?.self) { group in
      for _ in 0..<20 { group.addTask { try await pool.take(Sample.dialect) } }
      return try await group.reduce(into: [Slot]()) { if let slot = $1 { $0.append(slot) } }
    }
    #expect(others.count == 20 && others.allSatisfy { $0 === others[0] && $0 !== first })
    #expect(made.most == 2)
    await pool.close()
    #expect(others[0].process?.hasEnded == true)
  }

  /// If the process cannot be replaced, every later case gets the reason.
  @Test func aSharedProcessThatCannotBeReplacedIsToldToAll() async throws {
    let made = Count()
    let pool = SlotPool(
      .process([Sample.dialect]) {
        if made.enter() > 1 { throw ProvisioningProblem("no more") }
        return Slot(server: Self.server, process: try Self.shell("exec sleep 1000"), isShared: true)
      }, client: WireClient(), checks: try #require(Self.noChecks))
    let first = try #require(try await pool.take(Sample.dialect))
    await first.process?.end()
    for _ in 0..<3 {
      await #expect(throws: ProvisioningProblem("no more")) { _ = try await pool.take(Sample.dialect) }
    }
    #expect(made.most == 2)
    await pool.close()
  }

  /// Others use a shared subject too, so it is only asked again after a failed request.
  @Test(arguments: [true, false])
  func aSharedProcessIsAskedAfterAFailure(hasFailed: Bool) async throws {
    let asked = Count()
    let slot = Slot(server: Self.server, process: try Self.shell("exec sleep 1000"), isShared: true) {
      _ = asked.enter()
      return true
    }
    await slot.noticeEnd(afterFailure: hasFailed)
    #expect(asked.most == (hasFailed ? 1 : 0))
    #expect(slot.death == nil)
    await slot.close()
  }

  /// The behaviour of a process that is asked to end, and its exit.
  @Test(
    arguments: [
      ("trap 'exit 0' TERM; echo begun; while :; do sleep 0.01; done", .exited(code: 0)),
      ("trap '' TERM; echo begun; sleep 1000", .signalled(9)),
      ("echo begun; exec sleep 1000", .signalled(15)),
    ] as [(String, ProcessExit)])
  func aProcessIsAskedToEndThenKilled(script: String, exit: ProcessExit) async throws {
    let process = try Self.shell(script)
    while !process.lastWords.contains("begun") { await Task.yield() }
    #expect(process.exit == nil)
    await process.end()
    #expect(process.exit == exit)
    // A second request has no effect.
    await process.end()
  }

  @Test func whatAProcessWritesIsHeardAndKept() async throws {
    let heard = Text()
    let process = try Self.shell("read -r line < /dev/null; sleep 0.1; echo out; echo err >&2; exit 3")
    process.listen { heard.append($0) }
    while !process.hasEnded { await Task.yield() }
    #expect(process.exit == .exited(code: 3))
    let text = heard.text
    #expect(text.contains("out\n") && text.contains("err\n"), "\(text)")
    #expect(process.lastWords.contains("err"))
  }

  /// The ending of a case with a process that answered its last step and then ended, with a slow one, and with one that
  /// lives.
  @Test(
    arguments: [
      ("sleep 0.2; echo no more >&2; exit 4", false, "the subject exited with code 4. It wrote last: no more"),
      ("exec sleep 1000", false, nil), ("exec sleep 1000", true, nil),
    ] as [(String, Bool, String?)])
  func theEndOfAProcessIsNoticed(script: String, answers: Bool, text: String?) async throws {
    let slot = Slot(server: Self.server, process: try Self.shell(script)) { answers }
    await slot.noticeEnd(patience: text == nil ? .milliseconds(1) : .seconds(120))
    #expect(slot.death == text.map { .init(.adapterDied, $0) })
    await slot.close()
  }

  private func maker(_ program: [String], within: LogicalTime = .seconds(120)) -> SlotMaker {
    let start = Provisioning.Start(program: program.map { template(.string($0)) }, readyWithin: within)
    return SlotMaker(
      catalogue: Sample.catalogue(), role: "backend", provisioning: Provisioning(start: start), urls: [:],
      folder: "/tmp",
      client: WireClient())
  }

  @Test func aSubjectIsReadyOnceItAnswers() async throws {
    let slot = try await maker(["python3", "-m", "http.server", "${app.port}", "--bind", "127.0.0.1"]).make()
    let address = try #require(slot.server.addresses["app"])
    let response = try await WireClient().send(HTTPRequest(method: "GET", target: "/"), to: address.endpoint)
    #expect(response.status == 200)
    #expect(slot.ports.map(\.service) == [Sample.main])
    await slot.close()
    #expect(slot.process?.hasEnded == true)
  }

  @Test(
    arguments: [
      (["sleep", "1000"], LogicalTime.milliseconds(100), "does not answer at http://127.0.0.1:"),
      (
        ["sh", "-c", "echo no key >&2; exit 3"], .seconds(120),
        "the subject exited with code 3 before it answered at http://127.0.0.1:"
      ),
      (["sh", "-c", "echo no key >&2; exit 3"], .seconds(120), "It wrote last: no key"),
    ] as [([String], LogicalTime, String)])
  func aSubjectThatDoesNotComeUpIsTold(program: [String], within: LogicalTime, says: String) async throws {
    let problem = await #expect(throws: ProvisioningProblem.self) {
      _ = try await maker(program, within: within).make()
    }
    #expect(problem?.description.contains(says) == true, "\(String(describing: problem))")
  }

  @Test func aNameThatNothingIsBoundToIsToldWithItsPlace() async throws {
    var start = Provisioning.Start(program: [template("sleep"), template("${lamp.port}")])
    start.place = .init(file: "b.yaml", line: 2, column: 1, field: JSONPath([.key("start")]))
    let maker = SlotMaker(
      catalogue: Sample.catalogue(), role: "backend", provisioning: Provisioning(start: start), urls: [:],
      folder: "/tmp", client: WireClient())
    let problem = await #expect(throws: ProvisioningProblem.self) { _ = try await maker.make() }
    #expect(
      problem?.description
        == "b.yaml:2:1: $.start: nothing is bound to ${lamp.port}; what has a value is app, limits, main")
  }

  @Test func withoutAStartSomebodyHasToSayWhereItListens() async throws {
    let maker = SlotMaker(
      catalogue: Sample.catalogue(), role: "backend", provisioning: Provisioning(), urls: [:], folder: "/",
      client: WireClient())
    let problem = await #expect(throws: ProvisioningProblem.self) { _ = try await maker.make() }
    #expect(problem?.description.contains("the address of the service 'app' is missing") == true)
  }
}

/// The number of tasks inside now, and the highest number so far.
private final class Count: Sendable {
  private let state = Mutex((now: 0, most: 0))

  var most: Int { state.withLock(\.most) }

  func enter() -> Int {
    state.withLock { state in
      state.now += 1
      state.most = max(state.most, state.now)
      return state.now
    }
  }

  func leave() { state.withLock { $0.now -= 1 } }
}

/// Text that came piece by piece.
private final class Text: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }

  func append(_ octets: Octets) { bytes.withLock { $0 += octets.bytes } }
}
