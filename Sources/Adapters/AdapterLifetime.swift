/// The stages in which an adapter's process is ended, without the process: the cause of the end, and the next measure.
///
/// running → asked (`shutdown` was sent) → terminated (SIGTERM) → killed (SIGKILL). A kill may come at any time. Each
/// stage but the last has a deadline, after which the next measure is taken.
struct AdapterLifetime {
  typealias Instant = SuspendingClock.Instant

  /// The measure that follows a missed deadline.
  enum Measure: Hashable {
    case terminate
    case kill
    /// The text is to be reported as a fatal breach.
    case giveUp(String)
  }

  private enum Stage: Hashable { case running, asked, terminated, killed }

  private let grace: Duration
  private var stage = Stage.running
  private var lost: String?
  /// The cause of the end, if the process ended now.
  private(set) var cause = AdapterEnding.Cause.itself
  /// The instant at which the next measure is due.
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

  /// The process closed a stream that the kit needs. It may be ending, since streams close first; so it gets the grace
  /// period.
  mutating func lose(_ stream: String, at now: Instant) {
    guard stage == .running, lost == nil else { return }
    lost = stream
    deadline = now.advanced(by: grace)
  }

  /// Postpones the next measure by a span.
  mutating func postpone(by span: Duration) { deadline? += span }

  /// The measure that is due at this time, or nil.
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
