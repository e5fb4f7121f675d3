import ConformanceTranscript
import HTTPValues
import JSONKit
import NIOPosix
import Templates
import Testing

@testable import ConformanceBench
@testable import Recording

/// With a running clock a case ends its wait early only if the protocol allows no later action.
@Suite struct StillnessTests {
  private static func entry(_ seconds: Double, _ event: TranscriptEntry.Event) -> TranscriptEntry {
    TranscriptEntry(number: 1, at: .milliseconds(seconds * 1000), event: event)
  }

  private static let command = TranscriptEntry.Event.command(.init(id: 1, name: "go", params: [:], label: nil))
  private static let reply = TranscriptEntry.Event.reply(.init(id: 1, outcome: .result(.null)))
  private static let request = TranscriptEntry.Event.request(upstream: "main", Sample.event())
  private static let sent = TranscriptEntry.Event.sent(label: "a", service: "app", Sample.event())
  private static let received = TranscriptEntry.Event.received(
    label: "a", ResponseRecord(connection: 1, line: "HTTP/1.1 200 OK", headers: [:], body: Octets([])))
  private static let callback = TranscriptEntry.Event.callback(handle: "d", value: .null)
  private static let heal = TranscriptEntry.Event.cut(upstream: "main", text: "heal")
  private static let mark = TranscriptEntry.Event.stepEnded(.init(place: "1", word: "settle", label: nil))

  /// Events with their seconds, the window that the subject declares in seconds, and the end of the wait.
  @Test(
    arguments: [
      // Without a declared window the end is unknown.
      ([], nil, nil), ([(0, command), (1, request), (1.1, reply)], nil, nil),
      // A window that is longer than all observed pauses.
      ([(0, command), (1, request), (1.1, reply)], 30, 33.1),
      // Pauses that are longer than the declared window: retries after 1, 2 and 4 seconds.
      ([(0, command), (0, request), (1, request), (3, request), (7, request)], 0.5, 17),
      // Pauses before the last command do not count.
      ([(0, command), (20, reply), (20, command), (20.5, reply)], 1, 23.5),
      // Only the margin counts without any pause.
      ([(0, command), (0, reply)], 0, 2), ([], 0, 2),
      // A healed fault wakes the subject, and is not one of its own pauses.
      ([(0, command), (1, callback), (9, heal)], 1, 13),
      ([(0, command), (1, callback), (9, heal), (10, callback)], 1, 30),
      // A called subject had no reason to act before it was asked, and shows its pauses from then on.
      ([(5, sent), (5, request), (5, received)], 0, 7), ([(5, sent), (5, request), (8, received)], 0, 16),
      // Marks of steps are not activity of the subject.
      ([(0, command), (1, reply), (5, mark)], 1, 5),
    ] as [([(Double, TranscriptEntry.Event)], Double?, Double?)])
  func theWaitEndsWhenNothingCanCome(events: [(Double, TranscriptEntry.Event)], window: Double?, end: Double?) {
    let stillness = Stillness(events.map { Self.entry($0.0, $0.1) })
    let window = window.map { LogicalTime.milliseconds($0 * 1000) }
    #expect(stillness.end(retryWindow: window) == end.map { .milliseconds($0 * 1000) })
  }

  /// The longest of the subjects' windows counts, and all of them must declare one.
  @Test(
    arguments: [([], nil), ([nil], nil), ([2], 2), ([2, 30, 0], 30), ([2, nil], nil)] as [([Double?], Double?)])
  func theLongestWindowCounts(windows: [Double?], longest: Double?) {
    let windows = windows.map { $0.map { LogicalTime.seconds($0) } }
    #expect(Stillness.retryWindow(of: windows) == longest.map { .seconds($0) })
  }

  /// A case of its own with a clock that runs a thousand times as fast.
  private func settle(
    _ seconds: Double, window: LogicalTime?, after events: [TranscriptEntry.Event], during: [TranscriptEntry.Event] = []
  ) async -> LogicalTime {
    let clock = RunningClock(scale: 1000, group: MultiThreadedEventLoopGroup.singleton)
    let recorder = Recorder(redact: Redaction()) { clock.now }
    let pacer = Pacer(
      recorder: recorder, clock: .running(clock), ask: { _ in nil }, noticeDepartures: {},
      life: .init(interval: .seconds(1), ask: { true }, seen: {}), retryWindow: window)
    for event in events { recorder.record(event) }
    let start = clock.now
    async let settled: Void = pacer.settle(within: .milliseconds(seconds * 1000))
    for event in during { recorder.record(event) }
    await settled
    return clock.now - start
  }

  @Test func silenceAloneEndsNoWait() async {
    #expect(await settle(100, window: nil, after: [Self.command, Self.reply]) >= .seconds(100))
  }

  @Test func aCommandThatIsOpenIsWaitedFor() async {
    #expect(await settle(100, window: .zero, after: [Self.command]) >= .seconds(100))
  }

  @Test func aWindowThatIsOverEndsTheWait() async {
    let waited = await settle(1_000_000, window: .seconds(50), after: [Self.command, Self.reply])
    #expect(waited >= .seconds(50))
    #expect(waited < .seconds(1_000_000))
  }

  @Test func aReplyThatComesMeanwhileLetsTheWaitEnd() async {
    #expect(await settle(1_000_000, window: .zero, after: [Self.command], during: [Self.reply]) < .seconds(1_000_000))
  }
}
