/// The reason why an assertion cannot be judged. It is never a violation of the subject.
struct Unjudgeable: Error, Hashable, CustomStringConvertible {
  var description: String
  /// Whether other claims about the same requirement are still judged, since they may show a violation.
  var leavesOthers = false

  /// The kit's own data is wrong: it refers to a label, a check or an exchange that does not exist.
  static func kit(_ text: String) -> Unjudgeable { Unjudgeable(description: "kit: \(text)") }

  /// The claim is about the outcome of a step that ended without the expected observation.
  static func nothingSeen(_ step: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: step '\(step)' saw nothing of what it waits for",
      leavesOthers: true)
  }

  /// An observation of an assertion `order` never occurred. Another claim judges whether it has to occur.
  static func neverCame(_ part: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: of an order of observations, \(part) never came",
      leavesOthers: true)
  }

  /// A check found nothing to judge.
  static func noneSeen(_ what: String) -> Unjudgeable {
    Unjudgeable(description: "the case did not reach what it is about: there was never \(what)", leavesOthers: true)
  }

  /// The subject did not answer in time, and the claim is about the content of the answer.
  static func unanswered(_ step: String) -> Unjudgeable {
    Unjudgeable(
      description: "'\(step)' was not answered in time, so the contents of its answer are unknown",
      leavesOthers: true)
  }
}
