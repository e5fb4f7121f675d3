/// How an adapter's process is brought to its end, without the process: who wants it, and which means is next.
///
/// running → asked (`shutdown` was sent) → terminated (SIGTERM) → killed (SIGKILL). A kill may come at any time. Each
/// stage but the last has a deadline, after which the next means is used.
struct AdapterLifetime {
  typealias Instant = SuspendingClock.Instant

  /// What to do now that a deadline has passed.
  enum Measure: Hashable {
    case terminate
    case kill
    /// To be reported as a breach that is beyond repair.
    case giveUp(String)
  }

  private enum Stage: Hashable { case running, asked, terminated, killed }

  private let grace: Duration
  private var stage = Stage.running
  private var lost: String?
  /// Who ended the process, if it ended now.
  private(set) var cause = AdapterEnding.Cause.itself
  /// When the next means is due.
  private(set) var deadline: Instant?

  init(grace: Duration) { self.grace = grace }

  /// Whether commands can still be sent.
  var isRunning: Bool { stage == .running }

  /// `shutdown` was sent.
  mutating func ask(at now: Instant) {
    guard stage == .running else { return }
    stage = .asked
    cause = .shutdown
    deadline = now.advanced(by: grace)
  }

  /// The process was killed.
  mutating func kill(_ cause: AdapterEnding.Cause) {
    guard stage != .killed else { return }
    stage = .killed
    self.cause = cause
    deadline = nil
  }

  /// The process closed one of the streams without which it cannot be worked with. It may be ending: streams close
  /// first, so it gets the time for that.
  mutating func lose(_ stream: String, at now: Instant) {
    guard stage == .running, lost == nil else { return }
    lost = stream
    deadline = now.advanced(by: grace)
  }

  /// Gives the process so much more time before the next means.
  mutating func postpone(by span: Duration) { deadline? += span }

  /// What is to be done at this time.
  mutating func expire(at now: Instant) -> Measure? {
    guard let due = deadline, due <= now else { return nil }
    deadline = nil
    switch stage {
    case .running:
      return .giveUp("the adapter closed \(lost ?? "a stream") and did not exit; expected it open until the end")
    case .asked:
      stage = .terminated
      cause = .terminated
      deadline = now.advanced(by: grace)
      return .terminate
    case .terminated:
      kill(.forced)
      return .kill
    case .killed: return nil
    }
  }
}
