import ConformanceTranscript
import Templates

/// An `advance` command, which asks the subject to move its clock to an instant and to reply once it is at rest.
///
/// The kit must ask again after it has acted on the subject, for example by a command. It must also ask again if an
/// event of the subject follows the answer.
package struct RestQuestion: Hashable, Sendable {
  /// The answer of a subject at rest: the instant at which its next timer is due; nil if it has no timer.
  package struct Answer: Hashable, Sendable {
    package var next: LogicalTime?

    package init(next: LogicalTime? = nil) {
      self.next = next
    }
  }

  package var number: Int
  package var instant: LogicalTime
  package var answer: Answer?

  package init(number: Int, instant: LogicalTime, answer: Answer? = nil) {
    self.number = number
    self.instant = instant
    self.answer = answer
  }

  /// Returns the question if it is still valid after this event, or nil if the kit must ask again because of the event.
  func standing(after event: TranscriptEntry.Event) -> RestQuestion? {
    switch event {
    // These events do not affect the subject.
    case .stepBegan, .stepEnded, .kept: self
    case .command, .process, .cut, .clock: nil
    default: answer == nil ? self : nil
    }
  }
}
