/// Decides how the kit ends an adapter's process: which measure comes next and when, and which cause is recorded. This
/// type has no I/O: its caller sends the signals.
///
/// running → asked (`shutdown` was sent) → terminated (SIGTERM) → killed (SIGKILL). The kit may kill the process in
/// every stage. The stages *asked* and *terminated* have a deadline, after which the kit takes the next measure. The
/// stage *running* has a deadline only after the process has closed a stream.
struct AdapterLifetime {
  typealias Instant = SuspendingClock.Instant

  /// An action of the kit if the process misses a deadline.
  enum Measure: Hashable {
    case terminate
    case kill
    /// The kit reports this text as a fatal breach.
    case giveUp(String)
  }

  private enum Stage: Hashable { case running, asked, terminated, killed }

  private let grace: Duration
  private var stage = Stage.running
  private var lost: String?
  /// If the process ends now, this cause is recorded.
  private(set) var cause = AdapterEnding.Cause.itself
  /// The instant at which the next measure is due.
  private(set) var deadline: Instant?

  init(grace: Duration) { self.grace = grace }

  /// Whether commands can still be sent.
  var isRunning: Bool { stage == .running }

  /// Notes that `shutdown` was sent.
  mutating func ask(at now: Instant) {
    guard stage == .running else { return }
    stage = .asked
    cause = .shutdown
    deadline = now.advanced(by: grace)
  }

  /// Notes that the process was killed.
  mutating func kill(_ cause: AdapterEnding.Cause) {
    guard stage != .killed else { return }
    stage = .killed
    self.cause = cause
    deadline = nil
  }

  /// Notes that the process closed a stream that the kit needs. A process closes its streams when it exits. So the kit
  /// waits for its exit during the grace period.
  mutating func lose(_ stream: String, at now: Instant) {
    guard stage == .running, lost == nil else { return }
    lost = stream
    deadline = now.advanced(by: grace)
  }

  /// Postpones the next measure by a span.
  mutating func postpone(by span: Duration) { deadline? += span }

  /// Returns the measure if the deadline has passed at this time, and otherwise nil.
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
