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
    /// The entry at which it was over: of a request, that of its whole answer or of its connection's end; nil when it
    /// never was.
    package var end: Int?

    package init(entry: Int, at: LogicalTime, view: JSON, end: Int? = nil) {
      self.entry = entry
      self.at = at
      self.view = view
      self.end = end
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
    /// Whether a request of the kit got no answer in time.
    package var isUnanswered: Bool
    /// Whether an answer came; where none did, no member of one is there to be compared.
    package var hasAnswer: Bool { view[Template.errorKey] == nil }
    /// What a binding file says stands in the response and does not: its paths by name.
    package var absent: [String: String]

    package init(
      name: String, entries: [Int], view: JSON, isUnanswered: Bool = false, absent: [String: String] = [:]
    ) {
      self.name = name
      self.entries = entries
      self.view = view
      self.isUnanswered = isUnanswered
      self.absent = absent
    }
  }

  package let transcript: Transcript
  package let models: Template.Models
  /// The outcomes of labelled calls, sends and other steps that come to something.
  package let outcomes: [String: Outcome]
  /// What templates in claims may refer to: the header's bindings, the outcomes by label, and when each step ended.
  package let bindings: Bindings
  private let index: ObservationIndex

  package init(transcript: Transcript, models: Template.Models) {
    self.transcript = transcript
    self.models = models
    var index = ObservationIndex()
    var outcomes = OutcomeReader()
    for entry in transcript.entries {
      index.read(entry)
      outcomes.read(entry)
    }
    self.index = index
    self.outcomes = outcomes.outcomes
    bindings = transcript.header.bindings.merging(outcomes.bindings(epoch: transcript.header.epoch))
  }

  /// What had happened when the last step of a state of the case ended; all of it where the state has no steps.
  package func upToEnd(of state: String) -> Evidence {
    let end = transcript.entries.last { entry in
      if case .stepEnded(let mark) = entry.event { mark.place.hasPrefix("\(state).") } else { false }
    }
    guard let end else { return self }
    let entries = Array(transcript.entries.prefix(end.number))
    return Evidence(transcript: Transcript(header: transcript.header, entries: entries), models: models)
  }

  /// The observations a selector picks, in order. A window whose step never happened picks nothing.
  package func observations(_ selector: Selector) -> [Observation] {
    guard let window = index.window(of: selector) else { return [] }
    return index.candidates(for: selector).lazy.filter { window.contains($0) }.flatMap { number in
      views(of: number, selector).filter { observation in
        selector.filter?.fits(observation.view, bindings: bindings, models: models) ?? true
      }
    }
  }

  /// The labels that bound a selector's window and that no step of the transcript has.
  package func missingLabels(of selector: Selector) -> [String] { index.missingLabels(of: selector) }

  /// Whether a step with this label ended.
  package func hasEnded(_ label: String) -> Bool { index.ended[label] != nil }

  /// The entries after the end of the step with this label, all without a label; nil when the step never ended.
  package func entries(after label: String?) -> ArraySlice<TranscriptEntry>? {
    guard let label else { return transcript.entries[...] }
    return index.done[label].map { end in transcript.entries.drop { $0.number <= end } }
  }

  /// The most requests of a selection that were open at the same time, and the entries of those.
  package func mostAtOnce(_ selector: Selector) -> (count: Int, entries: [Int]) {
    let seen = observations(selector)
    var most: [Int] = []
    for one in seen {
      let open = seen.map(\.entry).filter { $0 <= one.entry && index.ends[$0] ?? .max > one.entry }
      if open.count > most.count { most = open }
    }
    return (most.count, most)
  }

  private func views(of number: Int, _ selector: Selector) -> [Observation] {
    let entry = transcript.entries[number - 1]
    guard let view = index.view(of: entry) else { return [] }
    let end = index.conclusions[number]
    guard let items = selector.items else { return [Observation(entry: number, at: entry.at, view: view, end: end)] }
    return (view[items]?.array ?? []).map { element in
      Observation(entry: number, at: entry.at, view: ObservationIndex.element(element, of: view), end: end)
    }
  }
}
