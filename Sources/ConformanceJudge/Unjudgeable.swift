/// Why an assertion cannot be judged, found while judging: never a violation of the subject.
struct Unjudgeable: Error, Hashable, CustomStringConvertible {
  var description: String
  /// Whether another claim about the same requirement may still show a violation.
  var leavesOthers = false

  /// The kit's own data is wrong: a label, a check, an exchange that is not there.
  static func kit(_ text: String) -> Unjudgeable { Unjudgeable(description: "kit: \(text)") }

  /// A step was played and saw nothing of what it waits for, and the claim is about that.
  static func nothingSeen(_ step: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: step '\(step)' saw nothing of what it waits for",
      leavesOthers: true)
  }

  /// A part of an order never came: whether it had to is for the claim that wants it.
  static func neverCame(_ part: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: of an order of observations, \(part) never came",
      leavesOthers: true)
  }

  /// The subject did not answer in time, and the claim is not about whether it answers.
  static func unanswered(_ step: String) -> Unjudgeable {
    Unjudgeable(
      description: "'\(step)' was not answered in time, so nobody knows what the answer would have been",
      leavesOthers: true)
  }
}
