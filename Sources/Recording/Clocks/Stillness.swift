import ConformanceTranscript
import Templates

/// The end of a wait in real or scaled time: the case need not wait longer than the pauses that the protocol allows.
///
/// With these clocks no adapter reports rest, and silence alone shows nothing: an SDK that retries after one, two and
/// four seconds is silent for most of the time. So a case waits as long as its step says, unless the subject declares
/// its longest pause.
package struct Stillness: Hashable {
  /// The shortest wait beyond the pauses that were observed or declared, since the next one may be longer.
  package static let margin = LogicalTime.seconds(2)

  /// The longest pause between two activities since the last command.
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
    // An action on the subject wakes it, but is not evidence about its own pauses.
    case .response, .fault, .cut, .handshake, .kept, .closed, .malformed, .process, .operated: break
    case .stepBegan, .stepEnded, .output, .breach, .clock, .end, .bound: return
    }
    last = entry.at
  }

  /// The longest pause of several subjects; nil if one of them does not declare it.
  package static func retryWindow(of windows: [LogicalTime?]) -> LogicalTime? {
    windows.contains(nil) ? nil : windows.compactMap(\.self).max()
  }

  /// The time after which no event can come if nothing is open; nil if the subject declares no pause.
  ///
  /// - Parameters:
  ///   - retryWindow: the longest pause that the subject declares.
  ///   - margin: the most by which the action after such a pause may be delayed.
  package func end(retryWindow: LogicalTime?, margin: LogicalTime = margin) -> LogicalTime? {
    retryWindow.map { last + max($0, longestPause + longestPause) + margin }
  }
}
