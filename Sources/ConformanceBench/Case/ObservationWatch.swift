import ConformanceModel
import JSONKit
import Synchronization

/// Counts the observations of a selector while they come: each is looked at once, a request once more when it is
/// answered, and all of them again when a name or a step that the selector refers to has come to something.
final class ObservationWatch: Sendable {
  private struct State {
    var index = ObservationIndex()
    var outcomes = OutcomeReader()
    var read = 0
    /// The entries of the kind that is asked for.
    var candidates: Set<Int> = []
    /// What was picked so far, by entry: the elements that are observations.
    var picked: [Int: [JSON]] = [:]
    /// How many elements that is.
    var count = 0
  }

  private let selector: Selector
  private let header: TranscriptHeader
  private let models: Template.Models
  private let refersToNames: Bool
  private let state = Mutex(State())

  init(_ selector: Selector, header: TranscriptHeader, models: Template.Models) {
    self.selector = selector
    self.header = header
    self.models = models
    refersToNames = selector.filter?.holeNames.isEmpty == false
  }

  /// How many were observed, once these entries are read too.
  func count(in entries: [TranscriptEntry]) -> Int {
    state.withLock { state in
      read(entries, &state)
      return state.count
    }
  }

  /// The last one in the order of the entries.
  func last(in entries: [TranscriptEntry]) -> JSON? {
    state.withLock { state in
      read(entries, &state)
      return state.picked.filter { !$0.value.isEmpty }.max { $0.key < $1.key }?.value.last
    }
  }

  private func read(_ entries: [TranscriptEntry], _ state: inout State) {
    var fresh: Set<Int> = []
    var areAllStale = false
    for entry in entries[state.read...] {
      state.index.read(entry)
      state.outcomes.read(entry)
      if state.index.isObservation(entry, of: selector) { fresh.insert(entry.number) }
      if case .response = entry.event, let request = state.index.request(of: entry.number),
        state.candidates.contains(request)
      {
        fresh.insert(request)
      }
      areAllStale = areAllStale || changes(entry.event)
    }
    state.read = entries.count
    state.candidates.formUnion(fresh)
    let looked = areAllStale ? state.candidates : fresh
    guard !looked.isEmpty else { return }
    let bindings = header.bindings.merging(state.outcomes.bindings(epoch: header.epoch))
    let window = state.index.window(of: selector)
    for number in looked {
      let isInside = window?.contains(number) == true
      let found = isInside ? pick(entries[number - 1], state.index, bindings) : []
      state.count += found.count - (state.picked.updateValue(found, forKey: number)?.count ?? 0)
    }
  }

  /// Whether the event may change what is picked of the entries before it.
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
    return (all ?? [view]).filter { selector.filter?.match($0, bindings: bindings, models: models).succeeded ?? true }
  }
}
