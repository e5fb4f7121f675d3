import ConformanceTranscript
import NIOPosix
import Synchronization
import Testing

@testable import ConformanceBench
@testable import Recording
@testable import Templates

/// Waits on a running clock: for replies that may never come, and for a subject without a processor.
@Suite struct RunningPacerTests {
  private let clock = RunningClock(scale: 1000, group: MultiThreadedEventLoopGroup.singleton)
  private let recorder: Recorder

  init() {
    let clock = clock
    recorder = Recorder(redact: Redaction()) { clock.now }
  }

  /// A pacer that asks whether the subject is alive, every second of the case.
  private func pacer(
    ask: @escaping @Sendable () async -> Bool, seen: @escaping @Sendable () -> Void = {}
  ) -> Pacer {
    Pacer(
      recorder: recorder, clock: .running(clock), ask: { _ in nil }, noticeDepartures: {},
      life: .init(interval: .seconds(1), ask: ask, seen: seen))
  }

  private static let command = TranscriptEntry.Event.command(.init(id: 1, name: "go", params: [:], label: nil))
  private static let reply = TranscriptEntry.Event.reply(.init(id: 1, outcome: .result(.null)))

  @Test func aReplyThatNeverComesIsWaitedForAsLongAsTheSubjectLives() async {
    let signs = Mutex(0)
    let pacer = pacer(ask: { true }, seen: { signs.withLock { $0 += 1 } })
    recorder.record(Self.command)
    let start = clock.now
    #expect(await pacer.reply(isThere: { $0.outcomes[1] != nil }, limit: .seconds(10)) == false)
    #expect(clock.now - start >= .seconds(10))
    #expect(signs.withLock(\.self) >= 1)
    #expect(recorder.stop == nil)
  }

  @Test func aSubjectThatHangsEndsTheWaitBeforeTheLimit() async {
    let recorder = recorder
    let pacer = pacer(ask: {
      recorder.halt(.init(.adapterHung, "no reply to 'ping'"))
      return false
    })
    recorder.record(Self.command)
    #expect(await pacer.reply(isThere: { $0.outcomes[1] != nil }, limit: .seconds(1_000_000)) == false)
    #expect(recorder.stop?.kind == .adapterHung)
  }

  /// A subject that got no processor in time does its work before it answers the question whether it is alive.
  @Test func whatWasDueIsHeardBeforeTheWaitEnds() async {
    let recorder = recorder
    let isLate = Mutex(true)
    let pacer = pacer(ask: {
      if isLate.withLock({ late in
        defer { late = false }
        return late
      }) {
        recorder.record(.callback(handle: "d", value: .null))
      }
      return true
    })
    recorder.record(Self.command)
    recorder.record(Self.reply)
    #expect(await pacer.pass(until: { $0.entries.count > 2 }, limit: .seconds(1)))
  }

  /// A called subject that has answered in time is not late because the kit read its answer late.
  @Test func whatWasAnsweredIsReadBeforeTheWaitEnds() async {
    let recorder = recorder
    var pacer = pacer(ask: { true })
    pacer.readAnswers = {
      if recorder.read(\.entries.isEmpty) { recorder.record(Self.reply) }
    }
    await pacer.advance(by: .seconds(1))
    #expect(recorder.read(\.entries.count) == 1)
  }

  /// An adapter that performs one command after the other would read the question only after its command.
  @Test func nobodyIsAskedWhileACommandIsOpen() async {
    let asked = Mutex(0)
    let pacer = pacer(ask: {
      asked.withLock { $0 += 1 }
      return true
    })
    recorder.record(Self.command)
    #expect(await pacer.pass(until: { _ in false }, limit: .seconds(1)) == false)
    #expect(asked.withLock(\.self) == 0)
    recorder.record(Self.reply)
    #expect(await pacer.pass(until: { _ in false }, limit: .seconds(1)) == false)
    #expect(asked.withLock(\.self) == 2)
  }

  /// A subject that calls back without end does not make the wait endless.
  @Test func aSubjectThatIsNeverQuietIsNotWaitedFor() async {
    let recorder = recorder
    let pacer = pacer(ask: {
      recorder.record(.callback(handle: "d", value: .null))
      return true
    })
    #expect(await pacer.pass(until: { _ in false }, limit: .seconds(1)) == false)
  }
}
