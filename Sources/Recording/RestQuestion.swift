import ConformanceTranscript
import Templates

/// An `advance` that asked the subject to move to an instant and to reply once it is at rest there.
///
/// The question is valid until something is done to the subject. Its answer is valid until another event of the subject
/// as well. The subject is asked again only when one of the two has become invalid.
package struct RestQuestion: Hashable, Sendable {
  /// The answer of a subject at rest: the instant at which its next timer is due, if it has one.
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

  /// The question after this event; nil if it has become invalid.
  func standing(after event: TranscriptEntry.Event) -> RestQuestion? {
    switch event {
    // These events do not affect the subject.
    case .stepBegan, .stepEnded, .kept: self
    case .command, .process, .cut, .clock: nil
    default: answer == nil ? self : nil
    }
  }
}
