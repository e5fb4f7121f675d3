import ConformanceModel
import ConformanceTranscript
import Records
import Synchronization

/// Prints what happens in the cases of a run while it happens.
package final class LiveTrace: Sendable {
  private let shown = Mutex<CaseInstance?>(nil)

  package init() {}

  /// Prints an entry, and before the first one of a case its name.
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
