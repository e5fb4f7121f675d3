import ConformanceTranscript
import Synchronization

/// An index of the entries of one case. Each entry is read once, even if many steps search the index.
package final class ObservationLog: Sendable {
  /// The index and the outcomes of the entries that were read so far.
  struct Contents {
    fileprivate(set) var index = ObservationIndex()
    fileprivate(set) var outcomes = OutcomeReader()
    fileprivate var read = 0
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Reads the new entries, and calls a closure with the index of all entries.
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
