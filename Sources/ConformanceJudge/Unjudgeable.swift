/// The reason why an assertion cannot be judged. It is never a violation of the subject.
struct Unjudgeable: Error, Hashable, CustomStringConvertible {
  var description: String
  /// Whether other claims about the same requirement are still judged. They may show a violation.
  var leavesOthers = false

  /// The kit's own data is wrong: it refers to a label, a check or an exchange that does not exist.
  static func kit(_ text: String) -> Unjudgeable { Unjudgeable(description: "kit: \(text)") }

  /// The claim needs the observation for which a step waited, and the step ended without it.
  static func nothingSeen(_ step: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: step '\(step)' saw nothing of what it waits for",
      leavesOthers: true)
  }

  /// One of the observations that an assertion `order` lists never occurred. Another claim judges whether it has to
  /// occur.
  static func neverCame(_ part: String) -> Unjudgeable {
    Unjudgeable(
      description: "the case did not reach what it is about: of an order of observations, \(part) never came",
      leavesOthers: true)
  }

  /// The transcript contains nothing that the check could judge.
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
