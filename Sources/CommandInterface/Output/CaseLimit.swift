import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Synchronization
import TextKit

/// Stops a run after a number of failing or hanging cases.
package final class CaseLimit: Sendable {
  /// The kind of cases that a limit counts.
  package enum Kind: Sendable {
    case failing
    case hanging

    /// The parts of the sentence ``note``: the option, the noun that follows the number, and the rest.
    fileprivate var words: (option: String, noun: String, rest: String) {
      switch self {
      case .failing: ("--fail-fast", "failing case", "")
      case .hanging: ("--max-hangs", "case", " in which the adapter did not answer in time")
      }
    }

    fileprivate func counts(_ result: CaseResult) -> Bool {
      switch self {
      case .failing: result.settled.contains { $0.disposition == .fail }
      case .hanging:
        result.transcript.ending?.kind == .adapterHung || result.transcript.hasNoAdapter
          || result.transcript.entries.contains { entry in
            if case .reply(let reply) = entry.event { reply.outcome == .noReply && !reply.isEnded } else { false }
          }
      }
    }
  }

  private struct State {
    var counted: Set<CaseInstance> = []
    var stop: (@Sendable () -> Void)?
  }

  private let limit: Int
  private let kind: Kind
  private let state = Mutex(State())

  /// - Parameter limit: the number of cases, at least 1. Nil means that the run has no limit, and the result is nil.
  package init?(_ limit: Int?, _ kind: Kind) {
    guard let limit else { return nil }
    self.limit = limit
    self.kind = kind
  }

  var isReached: Bool { state.withLock { $0.counted.count >= limit } }

  /// A sentence which says that this limit has stopped the run; nil if the limit is not reached.
  var note: String? {
    let (option, noun, rest) = kind.words
    return isReached ? "the run was stopped after \(noun.counted(limit))\(rest) (\(option))" : nil
  }

  /// Sets the closure that stops the run. The closure is called at once if the limit is reached already.
  func onReached(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stop = stop }
    if isReached { stop() }
  }

  /// Counts the case with this result if this limit is for cases of its kind.
  func count(_ result: CaseResult) {
    guard kind.counts(result) else { return }
    let stop = state.withLock { state in
      state.counted.insert(result.instance)
      return state.counted.count >= limit ? state.stop : nil
    }
    stop?()
  }
}

extension Transcript {
  /// Whether the adapter died before an app was launched, so that no adapter served the case.
  fileprivate var hasNoAdapter: Bool {
    guard ending?.kind == .adapterDied else { return false }
    return !entries.contains { if case .process = $0.event { true } else { false } }
  }
}
