import ConformanceTranscript
import JSONKit

/// A step of a case in a transcript: the kit's actions, the outcome, and the other events during the step.
struct PlayedStep {
  /// The word and label with which the step began; nil for the events before the first step.
  var mark: TranscriptEntry.StepMark?
  /// The number of the entry at which the step begins.
  var first: Int
  /// The actions of the kit in the step, such as a command, a request or a fault.
  var acts: [TranscriptEntry.Event] = []
  /// The outcome of the step's command; nil if the step has no command, or if the command got no reply.
  var outcome: CommandOutcome?
  /// All other events during the step, mainly messages on the wire.
  var happenings: [TranscriptEntry] = []
  var numbers: Set<Int> = []

  /// The steps of a transcript in the order in which they began. An event belongs to the step that began last, but a
  /// reply belongs to the step of its command.
  static func all(of transcript: Transcript) -> [PlayedStep] {
    var steps = [PlayedStep(mark: nil, first: 0)]
    var asked: [Int: Int] = [:]
    for entry in transcript.entries {
      if case .stepBegan(let mark) = entry.event { steps.append(.init(mark: mark, first: entry.number)) }
      var index = steps.count - 1
      if case .command(let command) = entry.event { asked[command.id] = index }
      if case .reply(let reply) = entry.event { index = asked[reply.id] ?? index }
      steps[index].take(entry)
    }
    return steps
  }

  private mutating func take(_ entry: TranscriptEntry) {
    numbers.insert(entry.number)
    switch entry.event {
    case .stepBegan, .stepEnded, .kept, .closed, .process(.started(launch: 1)), .end(.init(.completed)): break
    case .command, .operated, .cut, .clock, .bound: acts.append(entry.event)
    case .reply(let reply): outcome = reply.outcome
    default: happenings.append(entry)
    }
  }

  /// The first line about the step, such as `5  trackRevenue 'tracked' {"amount":9.99} → null`.
  func heading(_ text: EntryText) -> String {
    guard let mark else { return "at the start" }
    let label = mark.label.map { " '\($0)'" } ?? ""
    let parts = acts.compactMap { act -> String? in
      switch act {
      case .command(let command): command.params.isEmptyObject ? nil : text.shown(command.params)
      case .operated(_, let operation):
        (operation.params.isEmptyObject ? "" : text.shown(operation.params) + " ")
          + "→ \(text.outcome(operation.outcome))"
      case .cut(_, let what): mark.word.hasSuffix(what) ? nil : "(\(what.visibleOnOneLine))"
      case .clock(let time): "(the clock moves to +\(time))"
      case .bound(_, let value): "→ \(text.shown(value))"
      default: nil
      }
    }
    let result = outcome.map { " → \(text.outcome($0))" } ?? ""
    return ([mark.place + "  " + mark.word.visibleOnOneLine + label.visibleOnOneLine] + parts).joined(separator: " ")
      + result
  }
}

extension JSON {
  fileprivate var isEmptyObject: Bool { self == .object(Object()) }
}
