import ConformanceTranscript
import Templates

/// Computes when a wait in real or scaled time can end: after the longest pause that the subject declares.
///
/// With these clocks, adapters do not report that the subject is at rest, and silence alone is not evidence: an SDK
/// that retries after one, two and four seconds is silent for most of the time. So a case waits for the whole time of
/// its step, unless the subject declares its longest pause.
package struct Stillness: Hashable {
  /// The time that is added to observed and declared pauses, since the next pause may be longer.
  package static let margin = LogicalTime.seconds(2)

  /// The longest pause between two actions of the subject since the last command.
  private var longestPause = LogicalTime.zero
  /// The time of the subject's last action, or of its last command.
  private var lastActivity = LogicalTime.zero
  /// The time of the last event that the subject may react to.
  private var last = LogicalTime.zero

  package init(_ entries: some Sequence<TranscriptEntry>) {
    for entry in entries { note(entry) }
  }

  private mutating func note(_ entry: TranscriptEntry) {
    switch entry.event {
    case .command:
      longestPause = .zero
      lastActivity = entry.at
    case .request, .callback, .reply, .received, .failed:
      longestPause = max(longestPause, entry.at - lastActivity)
      lastActivity = entry.at
    // A called subject had no reason to act before it was asked.
    case .sent: lastActivity = entry.at
    // An action on the subject wakes the subject, but is not evidence about the subject's own pauses.
    case .response, .fault, .cut, .handshake, .kept, .closed, .malformed, .process, .operated: break
    case .stepBegan, .stepEnded, .output, .breach, .clock, .end, .bound: return
    }
    last = entry.at
  }

  /// The longest pause that several subjects declare; nil if one of the subjects declares no pause.
  package static func retryWindow(of windows: [LogicalTime?]) -> LogicalTime? {
    windows.contains(nil) ? nil : windows.compactMap(\.self).max()
  }

  /// The time after which no event can occur if every command and request has been answered. nil if the subject
  /// declares no pause.
  ///
  /// - Parameters:
  ///   - retryWindow: the longest pause that the subject declares.
  ///   - margin: the longest delay of the action after such a pause.
  package func end(retryWindow: LogicalTime?, margin: LogicalTime = margin) -> LogicalTime? {
    retryWindow.map { last + max($0, longestPause + longestPause) + margin }
  }
}
