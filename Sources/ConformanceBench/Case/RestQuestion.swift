import ConformanceModel

/// An `advance` that asked the subject to move to an instant and to reply once it is at rest there.
///
/// What it was asked counts until something is done to the subject; what it answered counts until something is heard of
/// it as well. As long as both count, nobody needs to ask again.
struct RestQuestion: Hashable, Sendable {
  /// The subject is at rest, and its next timer is due then, if it has one.
  struct Answer: Hashable, Sendable {
    var next: LogicalTime?
  }

  var number: Int
  var instant: LogicalTime
  var answer: Answer?

  /// The question once this has happened; nil when it does not count any more.
  func standing(after event: TranscriptEntry.Event) -> RestQuestion? {
    switch event {
    // Neither touches the subject.
    case .stepBegan, .stepEnded, .kept: self
    case .command, .process, .cut, .clock: nil
    default: answer == nil ? self : nil
    }
  }
}
