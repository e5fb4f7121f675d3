import ConformanceModel
import ConformanceTranscript
import JSONKit
import Synchronization
import Templates

/// Counts the observations that a selector picks while the case runs. It checks the latest entries first, and only as
/// many as needed. An entry is checked once. A request is checked again when it is answered, and all entries are
/// checked again when a name or a step to which the selector refers becomes known.
package final class ObservationWatch: Sendable {
  private struct State {
    /// The number of entries at the last check.
    var seen = 0
    /// The entries of the selected kind that are not checked yet, in their order.
    var unread: [Int] = []
    /// The observations found so far, by the number of their entry.
    var picked: [Int: [JSON]] = [:]
    /// The number of observations in ``picked``.
    var count = 0

    mutating func pick(_ found: [JSON], of entry: Int) {
      picked[entry] = found
      count += found.count
    }

    /// Marks an entry as not checked.
    mutating func unpick(_ entry: Int) {
      guard let found = picked.removeValue(forKey: entry) else { return }
      count -= found.count
      unread.insert(entry, at: unread.lastIndex { $0 < entry }.map { $0 + 1 } ?? 0)
    }

    mutating func unpickAll() { for entry in picked.keys.sorted() { unpick(entry) } }
  }

  private let selector: Selector
  private let header: TranscriptHeader
  private let models: Template.Models
  /// Further names to which the selector may refer: the variables of the loops around its step.
  private let variables: Bindings
  private let log: ObservationLog
  private let refersToNames: Bool
  /// Entries up to this one do not count.
  private let since: Int
  /// Whether the filter is about the answer to a request. If so, a request counts from the time of its answer.
  private let asksForAnswer: Bool
  private let state = Mutex(State())

  package init(
    _ selector: Selector, header: TranscriptHeader, models: Template.Models, variables: Bindings = [:],
    log: ObservationLog = ObservationLog(), since: Int = 0
  ) {
    self.selector = selector
    self.header = header
    self.models = models
    self.variables = variables
    self.log = log
    self.since = since
    asksForAnswer = selector.filter?.node.asksForAnswer ?? false
    refersToNames = selector.filter?.holeNames.isEmpty == false
  }

  /// Whether these entries contain at least `wanted` observations.
  package func hasSeen(_ wanted: Int, in entries: [TranscriptEntry]) -> Bool {
    look(at: entries) { state, pickNext in
      while state.count < wanted, pickNext(&state) {}
      return state.count >= wanted
    }
  }

  /// The last observation in the order of the entries.
  package func last(in entries: [TranscriptEntry]) -> JSON? {
    look(at: entries) { state, pickNext in
      func latest() -> Int? { state.picked.filter { !$0.value.isEmpty }.keys.max() }
      while let next = state.unread.last, next > latest() ?? 0, pickNext(&state) {}
      return latest().flatMap { state.picked[$0]?.last }
    }
  }

  /// Adds new entries, and calls a closure with a function that checks the latest unchecked entry. The function returns
  /// false if all entries are checked.
  private func look<Value>(
    at entries: [TranscriptEntry], _ body: (inout State, (inout State) -> Bool) -> Value
  ) -> Value {
    log.read(entries) { contents in
      state.withLock { state in
        note(entries, contents.index, &state)
        let window = contents.index.window(of: selector)
        lazy var bindings = header.bindings.merging(variables)
          .merging(contents.outcomes.bindings(epoch: header.epoch))
        return body(&state) { state in
          guard let number = state.unread.popLast() else { return false }
          let isInside = window?.contains(number) == true && isNew(number, contents.index)
          state.pick(isInside ? pick(entries[number - 1], contents.index, bindings) : [], of: number)
          return true
        }
      }
    }
  }

  private func isNew(_ entry: Int, _ index: ObservationIndex) -> Bool {
    entry > since || asksForAnswer && (index.ends[entry] ?? 0) > since
  }

  private func note(_ entries: [TranscriptEntry], _ index: ObservationIndex, _ state: inout State) {
    guard state.seen < entries.count else { return }
    let known = state.seen
    state.seen = entries.count
    if !state.picked.isEmpty {
      for entry in entries[known...] {
        if changes(entry.event) {
          state.unpickAll()
          break
        }
        if case .response = entry.event, let request = index.request(of: entry.number) { state.unpick(request) }
      }
    }
    state.unread += index.candidates(for: selector, after: known)
  }

  /// Whether earlier entries must be checked again after the event, since they may count now, or may not count any
  /// more.
  private func changes(_ event: TranscriptEntry.Event) -> Bool {
    switch event {
    case .stepBegan(let mark): mark.label != nil && mark.label == selector.before
    case .stepEnded(let mark): mark.label != nil && (mark.label == selector.after || refersToNames)
    case .reply, .operated, .bound, .received, .failed: refersToNames
    default: false
    }
  }

  private func pick(_ entry: TranscriptEntry, _ index: ObservationIndex, _ bindings: Bindings) -> [JSON] {
    guard let view = index.view(of: entry) else { return [] }
    let all = selector.items.map { path in
      (view[path]?.array ?? []).map { ObservationIndex.element($0, of: view) }
    }
    return (all ?? [view]).filter { selector.filter?.fits($0, bindings: bindings, models: models) ?? true }
  }
}

extension Template.Node {
  /// Whether the template contains `answered`, the member of a request that shows how the request was answered.
  fileprivate var asksForAnswer: Bool {
    switch self {
    case .object(let members): members.contains { $0.key == "answered" }
    case .constraints(let constraints):
      constraints.contains { constraint in
        switch constraint {
        case .oneOf(let nodes), .allOf(let nodes): nodes.contains(where: \.asksForAnswer)
        case .not(let node), .only(let node): node.asksForAnswer
        default: false
        }
      }
    case .literal, .hole, .text, .array: false
    }
  }
}
