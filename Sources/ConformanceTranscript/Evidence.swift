import ConformanceModel
import JSONKit
import Templates

/// A transcript with an index for claims: requests, callbacks, and the outcomes of steps.
package struct Evidence: Sendable {
  /// An event, or an element of a list in an event, that a selector selected.
  package struct Observation: Hashable, Sendable {
    /// The number of the entry that contains the observation.
    package var entry: Int
    package var at: LogicalTime
    /// The observation in the form that claims compare with templates.
    package var view: JSON
    /// For a request or an answer, the number of the entry at which the answer was complete. For a request without a
    /// complete answer, the entry at which its connection ended. nil if neither happened, and for other observations.
    package var end: Int?

    package init(entry: Int, at: LogicalTime, view: JSON, end: Int? = nil) {
      self.entry = entry
      self.at = at
      self.view = view
      self.end = end
    }
  }

  /// The outcome of a labelled step.
  package struct Outcome: Hashable, Sendable {
    /// The name of the command or exchange: `initialize`, `install`.
    package var name: String
    /// The numbers of the entries with the command and its reply, or with the request and its response.
    package var entries: [Int]
    /// The result or error of a call, or the response to a send, in the form that claims use.
    package var view: JSON
    /// Whether the step sent a request and no answer arrived in time.
    package var isUnanswered: Bool
    /// Whether ``view`` is a result or a response, and not an error. Only then can claims compare its members.
    package var hasAnswer: Bool { view[Template.errorKey] == nil }
    /// The values that the binding file expects and the response lacks. Maps the name of each value to the path that
    /// was searched.
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
  /// The outcomes of steps, such as calls and sends, by the labels of the steps.
  package let outcomes: [String: Outcome]
  /// The values that templates in claims may use: the bindings of the transcript's header, and the outcomes and end
  /// times of labelled steps.
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

  /// The evidence up to the end of the last step of a state; all evidence if no step of the state ended.
  package func upToEnd(of state: String) -> Evidence {
    let end = transcript.entries.last { entry in
      if case .stepEnded(let mark) = entry.event { mark.place.hasPrefix("\(state).") } else { false }
    }
    guard let end else { return self }
    let entries = Array(transcript.entries.prefix(end.number))
    return Evidence(transcript: Transcript(header: transcript.header, entries: entries), models: models)
  }

  /// The observations that a selector selects, in order. Empty if the selector's `after` or `before` names a step that
  /// never ran.
  package func observations(_ selector: Selector) -> [Observation] {
    guard let window = index.window(of: selector) else { return [] }
    return index.candidates(for: selector).lazy.filter { window.contains($0) }.flatMap { number in
      views(of: number, selector).filter { observation in
        selector.filter?.fits(observation.view, bindings: bindings, models: models) ?? true
      }
    }
  }

  /// The labels of the selector whose steps did not take place: `after` if that step never ended, and `before` if that
  /// step never began.
  package func missingLabels(of selector: Selector) -> [String] { index.missingLabels(of: selector) }

  /// Whether a step with this label ended.
  package func hasEnded(_ label: String) -> Bool { index.ended[label] != nil }

  /// The entries after the end of the step with this label, or after the fault that the step starts or ends; all
  /// entries if the label is nil. Returns nil if the step never ended.
  package func entries(after label: String?) -> ArraySlice<TranscriptEntry>? {
    guard let label else { return transcript.entries[...] }
    return index.done[label].map { end in transcript.entries.drop { $0.number <= end } }
  }

  /// The largest number of selected requests that were open at the same time, with the entry numbers of these requests.
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
