import ConformanceTranscript
import ConformanceWire
import Synchronization
import Templates
import Testing

@testable import ConformanceBench
@testable import Recording

/// The control of the virtual clock: when the subject is asked about rest, and how far the clock moves.
@Suite struct PacerTests {
  /// A subject for these tests. It answers questions at once or on request, and does what a test sets.
  private final class Subject: Sendable {
    private struct State {
      var asked: [LogicalTime] = []
      var timers: [LogicalTime]
    }

    let recorder: Recorder
    private let state: Mutex<State>
    private let answersAtOnce: Bool

    init(_ recorder: Recorder, timers: [LogicalTime] = [], answersAtOnce: Bool = true) {
      self.recorder = recorder
      self.answersAtOnce = answersAtOnce
      state = Mutex(State(timers: timers))
    }

    var asked: [LogicalTime] { state.withLock(\.asked) }

    func ask(_ instant: LogicalTime) -> Int {
      let number = state.withLock { state in
        state.asked.append(instant)
        state.timers.removeAll { $0 <= instant }
        return state.asked.count
      }
      recorder.change { $0.question = RestQuestion(number: number, instant: instant) }
      if answersAtOnce { answer() }
      return number
    }

    func answer() {
      let next = state.withLock { $0.timers.min() }
      recorder.change { $0.question?.answer = RestQuestion.Answer(next: next) }
    }
  }

  private let clock = VirtualClock()
  private let recorder: Recorder

  init() {
    let clock = clock
    recorder = Recorder(redact: Redaction()) { clock.now }
  }

  private static let life = Pacer.SignsOfLife(interval: .seconds(30), ask: { true }, seen: {})

  private func pacer(_ subject: Subject) -> Pacer {
    Pacer(
      recorder: recorder, clock: .virtual(clock), ask: { subject.ask($0) }, noticeDepartures: {}, life: Self.life)
  }

  private static let command = TranscriptEntry.Event.command(.init(id: 1, name: "flush", params: [:], label: nil))
  private static let reply = TranscriptEntry.Event.reply(.init(id: 1, outcome: .result(.null)))
  private static let mark = TranscriptEntry.StepMark(place: "1", word: "settle", label: nil)

  @Test func theClockGoesFromTimerToTimer() async {
    let subject = Subject(recorder, timers: [.seconds(2), .seconds(5)])
    await pacer(subject).advance(by: .seconds(10))
    #expect(subject.asked == [.zero, .seconds(2), .seconds(5), .seconds(10)])
    #expect(clock.now == .seconds(10))
  }

  /// The events after an answer about rest, and whether the subject is asked again.
  @Test(
    arguments: [
      ([], false), ([.stepEnded(mark), .stepBegan(mark)], false), ([.kept(upstream: "main", connection: 1)], false),
      ([command], true), ([reply], true),
      ([.cut(upstream: "main", text: "refuse")], true), ([.process(.started(launch: 2))], true),
      ([.closed(upstream: "main", connection: 1, by: .subject)], true),
    ] as [([TranscriptEntry.Event], Bool)])
  func anAnswerCountsUntilSomethingHappens(events: [TranscriptEntry.Event], isAskedAgain: Bool) async {
    let subject = Subject(recorder)
    let pacer = pacer(subject)
    await pacer.settle(within: .seconds(1))
    for event in events { recorder.record(event) }
    await pacer.settle(within: .seconds(1))
    #expect(subject.asked.count == (isAskedAgain ? 2 : 1))
  }

  @Test func anAnswerDoesNotCountForAnotherNumberOfHeldRequests() async {
    let subject = Subject(recorder)
    let pacer = pacer(subject)
    await pacer.settle(within: .zero)
    recorder.change { $0.hold(true) }
    await pacer.settle(within: .zero)
    #expect(subject.asked.count == 2)
  }

  @Test func aQuestionThatIsStillOpenWhenTheReplyCameIsWaitedFor() async {
    let subject = Subject(recorder, answersAtOnce: false)
    let pacer = pacer(subject)
    recorder.record(Self.command)
    async let cameBack = pacer.pass(until: { $0.outcomes[1] != nil }, limit: .seconds(1))
    await recorder.wait { $0.question != nil }
    recorder.record(Self.reply)
    #expect(await cameBack)
    async let settled: Void = pacer.settle(within: .zero)
    subject.answer()
    await settled
    #expect(subject.asked == [.zero])
  }

  /// Otherwise an app that always names a due timer would cause an endless loop.
  @Test func aTimerThatIsDueAndNeverFiresIsAskedAbout() async {
    let recorder = recorder
    let asked = Mutex(0)
    let pacer = Pacer(
      recorder: recorder, clock: .virtual(clock),
      ask: { instant in
        let number = asked.withLock { asked in
          asked += 1
          return asked
        }
        recorder.change {
          $0.question = RestQuestion(number: number, instant: instant, answer: .init(next: number < 5 ? instant : nil))
        }
        return number
      }, noticeDepartures: {}, life: Self.life)
    await pacer.settle(within: .seconds(1))
    #expect(asked.withLock(\.self) == 5)
  }
}
