import JSONKit

/// A transcript made ready for questions: which requests, which callbacks, which outcome of which step.
package struct Evidence: Sendable {
  /// Something that a selector picked.
  package struct Observation: Hashable, Sendable {
    /// The entry it comes from.
    package var entry: Int
    package var at: LogicalTime
    /// What templates are held against.
    package var view: JSON

    package init(entry: Int, at: LogicalTime, view: JSON) {
      self.entry = entry
      self.at = at
      self.view = view
    }
  }

  /// What a labelled step came to.
  package struct Outcome: Hashable, Sendable {
    /// What was called or sent: `initialize`, `install`.
    package var name: String
    /// The entries of the command or request, and of its reply or response.
    package var entries: [Int]
    /// The result or error of a call, the response of a send, as claims see it.
    package var view: JSON

    package init(name: String, entries: [Int], view: JSON) {
      self.name = name
      self.entries = entries
      self.view = view
    }
  }

  package let transcript: Transcript
  package let models: Template.Models
  /// The outcomes of labelled calls and sends.
  package let outcomes: [String: Outcome]
  /// What templates in claims may refer to: the header's bindings and the outcomes by label.
  package let bindings: Bindings
  /// The status with which each received request was answered, by its entry.
  private let answers: [Int: Int]
  private let began: [String: Int]
  private let ended: [String: Int]

  package init(transcript: Transcript, models: Template.Models) {
    self.transcript = transcript
    self.models = models
    var began: [String: Int] = [:]
    var ended: [String: Int] = [:]
    var outcomes = OutcomeReader()
    var answers = AnswerReader()
    for entry in transcript.entries {
      switch entry.event {
      case .stepBegan(let mark): if let label = mark.label { began[label] = entry.number }
      case .stepEnded(let mark): if let label = mark.label { ended[label] = entry.number }
      default:
        outcomes.read(entry)
        answers.read(entry)
      }
    }
    self.began = began
    self.ended = ended
    self.answers = answers.statuses
    self.outcomes = outcomes.outcomes
    bindings = transcript.header.bindings.merging(Bindings(outcomes.outcomes.mapValues(\.view)))
  }

  /// The observations a selector picks, in order. A window whose step never happened picks nothing.
  package func observations(_ selector: Selector) -> [Observation] {
    guard let window = window(of: selector) else { return [] }
    return transcript.entries.compactMap { entry in
      guard window.contains(entry.number), let view = view(of: entry, for: selector) else { return nil }
      if let filter = selector.filter, !filter.match(view, bindings: bindings, models: models).succeeded { return nil }
      return Observation(entry: entry.number, at: entry.at, view: view)
    }
  }

  /// Whether the steps that bound a selector's window happened.
  package func hasWindow(of selector: Selector) -> Bool { window(of: selector) != nil }

  /// The entries after the end of the step with this label, all without a label; nil when the step never ended.
  package func entries(after label: String?) -> ArraySlice<TranscriptEntry>? {
    guard let label else { return transcript.entries[...] }
    return ended[label].map { end in transcript.entries.drop { $0.number <= end } }
  }

  private func window(of selector: Selector) -> ClosedRange<Int>? {
    var first = 1
    var last = Int.max
    if let label = selector.after {
      guard let end = ended[label] else { return nil }
      first = end
    }
    if let label = selector.before {
      guard let start = began[label] else { return nil }
      last = start
    }
    return first <= last ? first...last : nil
  }

  private func view(of entry: TranscriptEntry, for selector: Selector) -> JSON? {
    switch (selector.subject, entry.event) {
    case (.request(let exchange), .request(let upstream, let record)):
      guard upstream == selector.upstream ?? "main", exchange == "any" || record.exchange == exchange else {
        return nil
      }
      var view = record.view.object ?? JSON.Object()
      view["answered"] = answers[entry.number].map(JSON.int)
      return .object(view)
    case (.callback(let wanted), .callback(let handle, let value)): return wanted == handle ? value : nil
    default: return nil
    }
  }
}

/// Joins commands with their replies, and sent requests with what came back, by label, entry by entry.
package struct OutcomeReader: Sendable {
  private struct Start {
    var label: String
    var name: String
    var entry: Int
  }

  /// What labelled steps came to so far.
  package private(set) var outcomes: [String: Evidence.Outcome] = [:]
  private var commands: [Int: Start] = [:]
  private var sent: [String: Start] = [:]

  package init() {}

  /// Takes the next entry.
  package mutating func read(_ entry: TranscriptEntry) {
    switch entry.event {
    case .command(let command):
      if let label = command.label {
        commands[command.id] = Start(label: label, name: command.name, entry: entry.number)
      }
    case .reply(let reply): finish(commands[reply.id], entry.number, reply.outcome.view)
    case .sent(let label?, let request):
      sent[label] = Start(label: label, name: request.exchange ?? request.line, entry: entry.number)
    case .received(let label?, let response): finish(sent[label], entry.number, response.view)
    case .failed(let label?, let failure):
      let error: JSON = ["kind": .string(failure.kind.rawValue), "message": .string(failure.text)]
      finish(sent[label], entry.number, [Template.errorKey: error])
    default: break
    }
  }

  private mutating func finish(_ start: Start?, _ entry: Int, _ view: JSON) {
    guard let start else { return }
    outcomes[start.label] = .init(name: start.name, entries: [start.entry, entry], view: view)
  }
}

/// Joins requests that an upstream received with the status it answered, where the whole answer went out.
private struct AnswerReader {
  private struct Line: Hashable {
    var upstream: String
    var connection: Int
  }

  /// Faults after which the subject has no whole answer.
  private static let breaking: Set<String> = ["drop", "hang", "reset", "truncate", "wrong-length", "bad-chunk", "raw"]

  var statuses: [Int: Int] = [:]
  private var open: [Line: Int] = [:]

  mutating func read(_ entry: TranscriptEntry) {
    switch entry.event {
    case .request(let upstream, let record):
      open[Line(upstream: upstream, connection: record.connection)] = entry.number
    case .fault(let upstream, let connection, let kind) where Self.breaking.contains(kind):
      open[Line(upstream: upstream, connection: connection)] = nil
    case .response(let upstream, let record):
      if let request = open.removeValue(forKey: Line(upstream: upstream, connection: record.connection)) {
        statuses[request] = record.status
      }
    default: break
    }
  }
}
