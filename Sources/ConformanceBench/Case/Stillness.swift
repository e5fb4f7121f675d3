import ConformanceModel

/// When a case in real or scaled time need not wait any longer, because nothing could come that the protocol lets wait.
///
/// Nobody says there that the subject is at rest, and silence alone shows nothing: an SDK that tries again after one, two and
/// four seconds is silent for most of the time. So a case waits as long as it says, unless the subject declared the longest
/// pause that it makes.
struct Stillness: Hashable {
  /// What is waited at least beyond the pauses that were seen or declared, for the next one may be longer.
  static let margin = LogicalTime.seconds(2)

  /// The longest pause between two activities since the last command.
  private var longestPause = LogicalTime.zero
  /// When the subject last did something, or was given a command.
  private var lastActivity = LogicalTime.zero
  /// When something last happened that the subject may follow with more.
  private var last = LogicalTime.zero

  init(_ entries: some Sequence<TranscriptEntry>) {
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
    // Who is asked had no reason to do anything before.
    case .sent: lastActivity = entry.at
    // What is done to the subject wakes it, but shows nothing of its own pauses.
    case .response, .fault, .cut, .handshake, .kept, .closed, .malformed, .process, .operated: break
    case .stepBegan, .stepEnded, .output, .breach, .clock, .end, .bound: return
    }
    last = entry.at
  }

  /// The longest pause that any of several subjects makes; nil when one of them does not say.
  static func retryWindow(of windows: [LogicalTime?]) -> LogicalTime? {
    windows.contains(nil) ? nil : windows.compactMap(\.self).max()
  }

  /// From when on nothing can come any more, provided that nothing is open; nil when nobody can know.
  ///
  /// - Parameters:
  ///   - retryWindow: the longest pause that the subject declares.
  ///   - margin: how late what ends such a pause may come.
  func end(retryWindow: LogicalTime?, margin: LogicalTime = margin) -> LogicalTime? {
    retryWindow.map { last + max($0, longestPause + longestPause) + margin }
  }
}
