import ConformanceModel
import ConformanceWire
import Processes
import Synchronization

/// The subjects that cases call: one subject for all cases, or slots that serve one case at a time.
package final class SlotPool: Sendable {
  /// The source from which the pool gets the slots.
  package enum Source: Sendable {
    /// Servers that any number of cases can call at the same time. The function returns the server for a dialect; nil
    /// if the subject does not support the dialect.
    case shared(@Sendable (Dialect) -> ServerUnderTest?)
    /// One process, which supports these dialects. Any number of cases can call it at the same time. If the process
    /// ends, a new one replaces it.
    case process([Dialect], make: @Sendable () async throws -> Slot)
    /// Slots that serve one case at a time. They are made when cases need them, and at most `count` exist.
    case slots(count: Int, make: @Sendable () async throws -> Slot)
  }

  private struct State {
    var idle: [Slot] = []
    var made = 0
    var waiting: [Promise<Void>] = []
    /// The task that starts the shared process.
    var common: Task<Slot, any Error>?
    /// The slot of the shared process; nil until the process runs.
    var present: Slot?
  }

  package let client: WireClient
  package let checks: CommandChecks
  private let source: Source
  private let state = Mutex(State())

  package init(_ source: Source, client: WireClient, checks: CommandChecks) {
    self.source = source
    self.client = client
    self.checks = checks
  }

  /// The largest number of cases that can call the subject at the same time; nil for any number.
  package var limit: Int? { if case .slots(let count, _) = source { count } else { nil } }

  /// Waits until a slot is free and returns it for a case. Returns nil if the subject does not support the dialect.
  package func take(_ dialect: Dialect) async throws -> Slot? {
    switch source {
    case .shared(let find): return find(dialect).map { Slot(server: $0) }
    case .process(let dialects, let make): return dialects.contains(dialect) ? try await takeCommon(make) : nil
    case .slots(let count, let make): return try await take(of: count, make)
    }
  }

  /// Returns the slot of the shared process. Starts the process if it does not run yet or has ended. If a start fails,
  /// this case and all later cases fail with the error of the start.
  private func takeCommon(_ make: @escaping @Sendable () async throws -> Slot) async throws -> Slot {
    let (task, dead) = state.withLock { state -> (Task<Slot, any Error>, Slot?) in
      let dead = state.present?.process?.hasEnded == true ? state.present.take() : nil
      if dead == nil, let common = state.common { return (common, nil) }
      let task = Task { try await make() }
      state.common = task
      return (task, dead)
    }
    await dead?.close()
    let slot = try await task.value
    state.withLock { if $0.common == task { $0.present = slot } }
    return slot
  }

  private func take(of count: Int, _ make: @Sendable () async throws -> Slot) async throws -> Slot {
    while true {
      enum Next { case use(Slot), make, wait(Promise<Void>) }
      let next = state.withLock { state -> Next in
        if let slot = state.idle.popLast() { return .use(slot) }
        if state.made < count {
          state.made += 1
          return .make
        }
        let promise = Promise<Void>()
        state.waiting.append(promise)
        return .wait(promise)
      }
      switch next {
      case .use(let slot):
        // A process that died between two cases is replaced before the next case.
        if slot.process?.hasEnded != true { return slot }
        await discard(slot)
      case .make:
        do { return try await make() } catch {
          state.withLock { $0.made -= 1 }
          wakeNext()
          throw error
        }
      case .wait(let promise): _ = try await promise.value()
      }
    }
  }

  /// Takes a slot back at the end of its case, so that another case can use it.
  package func giveBack(_ slot: Slot) async {
    guard case .slots = source else { return }
    if slot.process?.hasEnded == true { return await discard(slot) }
    state.withLock { $0.idle.append(slot) }
    wakeNext()
  }

  private func discard(_ slot: Slot) async {
    await slot.close()
    state.withLock { $0.made -= 1 }
    wakeNext()
  }

  private func wakeNext() {
    let next = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    next?.keep(())
  }

  /// Ends the shared process and all idle slots.
  package func close() async {
    if let common = state.withLock({ $0.common.take() }) { await (try? common.value)?.close() }
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for slot in idle { await slot.close() }
  }
}
