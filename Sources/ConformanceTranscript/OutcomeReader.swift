import JSONKit
import Templates

/// Reads a transcript entry by entry, and joins the command of a labelled step with its reply, and the request of a
/// labelled step with its response.
package struct OutcomeReader: Sendable {
  private struct Start {
    var label: String
    var name: String
    var entry: Int
  }

  /// The outcomes of labelled steps so far.
  package private(set) var outcomes: [String: Evidence.Outcome] = [:]
  /// The views of the outcomes, by label. They are stored because every step reads them.
  private var views: [String: JSON] = [:]
  /// The times at which labelled steps ended.
  private var ends: [String: LogicalTime] = [:]
  private var commands: [Int: Start] = [:]
  private var sent: [String: Start] = [:]

  package init() {}

  /// The values that templates can use: `${label}`, the outcome of a step, and `${label.$at}`, the time at which the
  /// step ended.
  package func bindings(epoch: Int) -> Bindings {
    let times = ends.map { label, end in
      ("\(label).$at", JSON.string(Timestamp(milliseconds: epoch + Int(end.milliseconds)).text))
    }
    return Bindings(views).merging(Bindings(Dictionary(uniqueKeysWithValues: times)))
  }

  /// Adds the next entry.
  package mutating func read(_ entry: TranscriptEntry) {
    switch entry.event {
    case .stepEnded(let mark): if let label = mark.label { ends[label] = entry.at }
    case .command(let command):
      if let label = command.label {
        commands[command.id] = Start(label: label, name: command.name, entry: entry.number)
      }
    case .reply(let reply): finish(commands[reply.id], entry.number, reply.outcome.view)
    case .operated(let label?, let operation):
      note(label, .init(name: operation.name, entries: [entry.number], view: operation.outcome.view))
    case .bound(let label, let value): note(label, .init(name: "step", entries: [entry.number], view: value))
    case .sent(let label?, _, let request):
      sent[label] = Start(label: label, name: request.exchange ?? request.line, entry: entry.number)
    case .received(let label?, let response):
      finish(sent[label], entry.number, response.view, absent: response.absent)
    case .failed(let label?, let failure):
      let error: JSON = ["kind": .string(failure.kind.rawValue), "message": .string(failure.text)]
      finish(sent[label], entry.number, [Template.errorKey: error], isUnanswered: failure.kind == .timeout)
    default: break
    }
  }

  private mutating func finish(
    _ start: Start?, _ entry: Int, _ view: JSON, isUnanswered: Bool = false, absent: [String: String] = [:]
  ) {
    guard let start else { return }
    note(
      start.label,
      .init(name: start.name, entries: [start.entry, entry], view: view, isUnanswered: isUnanswered, absent: absent))
  }

  private mutating func note(_ label: String, _ outcome: Evidence.Outcome) {
    outcomes[label] = outcome
    views[label] = outcome.view
  }
}
