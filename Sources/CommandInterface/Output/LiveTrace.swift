import ConformanceModel
import ConformanceTranscript
import Records
import Synchronization

/// Prints the entries of each transcript while the case runs.
package final class LiveTrace: Sendable {
  private let shown = Mutex<CaseInstance?>(nil)

  package init() {}

  /// Prints an entry of a case's transcript. If the entry is the first of its case, or the last printed entry is of
  /// another case, prints the name of the case first.
  package func print(_ instance: CaseInstance, _ entry: TranscriptEntry) {
    let isNew = shown.withLock { shown in
      defer { shown = instance }
      return shown != instance
    }
    let title = isNew || entry.number == 1 ? ["", "== \(instance.title)"] : []
    let lines = title + Conversation().lines(of: entry)
    if !lines.isEmpty { Terminal.output(.lines(lines.joined(separator: "\n") + "\n")) }
  }
}
