import ConformanceModel
import Synchronization

/// What the entries of one case mean so far. Each entry is read once, however many steps look for something in them.
final class ObservationLog: Sendable {
  /// What was read.
  struct Contents {
    fileprivate(set) var index = ObservationIndex()
    fileprivate(set) var outcomes = OutcomeReader()
    fileprivate var read = 0
  }

  private let contents = Mutex(Contents())

  /// Reads the entries that are new, and looks at what all of them mean.
  func read<Value>(_ entries: [TranscriptEntry], _ body: (Contents) -> Value) -> Value {
    contents.withLock { contents in
      for index in contents.read..<max(contents.read, entries.count) {
        contents.index.read(entries[index])
        contents.outcomes.read(entries[index])
      }
      contents.read = max(contents.read, entries.count)
      return body(contents)
    }
  }
}
