import ConformanceTranscript
import HTTPValues
import Testing

@testable import Recording

/// A waiter is woken only by the change that it waits for.
@Suite struct RecorderTests {
  private let recorder = Recorder(redact: Redaction()) { .seconds(3) }

  private static let reply = TranscriptEntry.Event.reply(.init(id: 1, outcome: .result(7)))

  private static func command(_ id: Int = 1, label: String? = nil) -> TranscriptEntry.Event {
    .command(.init(id: id, name: "go", params: [:], label: label))
  }

  @Test func entriesAreNumberedAndDated() {
    recorder.record(Self.command())
    recorder.record(Self.reply)
    #expect(recorder.entries.map(\.number) == [1, 2])
    #expect(recorder.entries.map(\.at) == [.seconds(3), .seconds(3)])
    #expect(recorder.outcome(1) == .result(7))
    #expect(recorder.outcome(2) == nil)
  }

  /// A secret in two pieces of stderr: at most its shorter half is left.
  @Test(arguments: 1..<10) func aSecretThatComesInTwoPiecesIsNoneTheLess(length: Int) {
    let secret = "s3cr3t-key"
    let recorder = Recorder(redact: Redaction(secrets: [secret])) { .zero }
    let pieces = ["before \(secret.prefix(length))", "\(secret.dropFirst(length)) after"]
    for piece in pieces { recorder.record(.output(Octets(Array(piece.utf8)))) }
    let written = recorder.entries.map { entry in
      if case .output(let octets) = entry.event { octets.text } else { "" }
    }
    #expect(written.joined().contains("[redacted] after"), "\(written)")
    #expect(written.first == (length < 5 ? pieces[0] : "before [redacted]"))
  }

  @Test func aConditionThatHoldsIsNotWaitedFor() async {
    await recorder.wait { $0.entries.isEmpty }
    #expect(recorder.entries.isEmpty)
  }

  @Test func everyWaiterIsWokenByItsOwnChange() async {
    await withTaskGroup(of: Int.self) { [recorder] group in
      for count in 1...20 {
        group.addTask {
          await recorder.wait { $0.entries.count >= count }
          return count
        }
      }
      for id in 1...20 { recorder.record(Self.command(id)) }
      var woken: [Int] = []
      for await count in group { woken.append(count) }
      #expect(woken.sorted() == Array(1...20))
    }
  }

  @Test func aStopEndsAllWaitingAndTheFirstReasonCounts() async {
    async let never: Void = recorder.wait { _ in false }
    recorder.halt(.init(.adapterDied, "first"))
    recorder.halt(.init(.interrupted, "second"))
    await never
    await recorder.wait { _ in false }
    #expect(recorder.stop == .init(.adapterDied, "first"))
  }

  @Test func afterTheStopOnlyWhatExplainsItIsWrittenDown() {
    recorder.record(Self.command())
    recorder.halt(.init(.adapterDied, "exit 3"))
    recorder.record(Self.reply)
    recorder.record(.reply(.init(id: 1, outcome: .noReply)))
    recorder.record(.callback(handle: "d", value: 1))
    recorder.record(.process(.exited(code: 3)))
    recorder.record(.stepEnded(.init(place: "1", word: "go", label: nil)))
    recorder.record(.end(.init(.completed)))
    recorder.record(.process(.ended(.kill)))
    #expect(
      recorder.entries.map(\.event) == [
        Self.command(), .process(.exited(code: 3)), .end(.init(.adapterDied, "exit 3")),
      ])
    #expect(recorder.outcome(1) == nil)
  }

  /// The replies to commands 1 and 2, and the name of the first one without a reply.
  @Test(
    arguments: [
      ([], "first"), ([.init(id: 1, outcome: .result(1))], "second"),
      ([.init(id: 1, outcome: .noReply), .init(id: 2, outcome: .result(1))], "first"),
      ([.init(id: 1, outcome: .result(1)), .ended(id: 2)], "second"),
      ([.init(id: 1, outcome: .result(1)), .init(id: 2, outcome: .error(CommandError(kind: "network")))], nil),
    ] as [([TranscriptEntry.Reply], String?)])
  func aCommandThatNeverReturnedIsNamed(replies: [TranscriptEntry.Reply], name: String?) {
    for (id, name) in [(1, "first"), (2, "second")] {
      recorder.record(.command(.init(id: id, name: name, params: [:], label: nil)))
    }
    for reply in replies { recorder.record(.reply(reply)) }
    #expect(recorder.unreturned == name)
    recorder.change { $0.abandonCommands() }
    #expect(recorder.unreturned == nil)
  }

  @Test func aCaseThatTookTooLongSaysWhatItWaitsFor() {
    recorder.record(Self.command(2))
    recorder.record(Self.command(1))
    recorder.record(Self.reply)
    recorder.halt(.init(.timeLimit, "too long"))
    #expect(recorder.stop == .init(.timeLimit, "too long; 'go' has not returned"))
  }

  /// Events, and whether the case is at rest after them.
  @Test(
    arguments: [
      ([], true), ([command()], false), ([command(), reply], true), ([command(), command(2), reply], false),
      ([.sent(label: "s", service: "main", Sample.event())], false),
      ([.sent(label: "s", service: "main", Sample.event()), .failed(label: "s", WireFailure(.closed, "gone"))], true),
      ([.sent(label: "s", service: "main", Sample.event()), .failed(label: "t", WireFailure(.closed, "gone"))], false),
    ] as [([TranscriptEntry.Event], Bool)])
  func restMeansThatEverythingCameBack(events: [TranscriptEntry.Event], isAtRest: Bool) {
    for event in events { recorder.record(event) }
    #expect(recorder.read(\.isAtRest) == isAtRest)
    recorder.change { $0.hold(true) }
    #expect(!recorder.read(\.isAtRest))
  }

  @Test func aLabelIsAnsweredWhenItsCallOrSendCameBack() {
    recorder.record(Self.command(label: "call"))
    recorder.record(.sent(label: "send", service: "main", Sample.event()))
    #expect(
      ["call", "send", "other"].map { label in recorder.read { $0.isAnswered(label) } } == [false, false, false])
    recorder.record(Self.reply)
    recorder.record(.failed(label: "send", WireFailure(.closed, "gone")))
    #expect(["call", "send", "other"].map { label in recorder.read { $0.isAnswered(label) } } == [true, true, false])
  }

  @Test func anAppThatWasEndedOwesNoReply() {
    recorder.record(Self.command())
    recorder.change { $0.abandonCommands() }
    #expect(recorder.read(\.isAtRest))
    #expect(recorder.outcome(1) == nil)
  }
}
