import CLinux
import Glibc

/// The time for which a process and its children were ready to run, but got no processor.
///
/// Source: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat". The time is zero if the kernel does
/// not count such time.
package enum ProcessorWait {
  /// The times for which several processes have waited until one instant.
  package struct Sample: Hashable, Sendable {
    package static let none = Sample(waited: .zero)

    /// The sum of the finished waits of all processes. They are added up, since one process may wait for another. The
    /// threads of a process may wait at the same time, so only the longest wait of a thread counts for its process.
    package var waited: Duration
    /// The total time that the processes have run, if one of them is ready to run now or is in an uninterruptible wait,
    /// such as for a page from the disk. nil if all of them wait for something else.
    var ranWhileReady: Duration?
  }

  /// The sum of the waits for which deadlines were extended. Each wait counts once.
  package struct Forgiven: Sendable {
    /// The longest wait that is ignored.
    private static let tolerance = Duration.milliseconds(10)
    /// If a sample finds that a process is still in a wait, the deadlines of the process move by this time.
    private static let pause = Duration.seconds(1)

    /// The total time by which deadlines have moved.
    package private(set) var total = Duration.zero
    private var span = Duration.zero
    package private(set) var last = Sample.none

    package init() {}

    /// Returns the time by which a deadline must move because of the waits since the last sample; nil if they are
    /// negligible.
    ///
    /// The kernel counts a wait for a processor only when the wait ends, and does not count a wait for a disk. On a
    /// busy machine, either may last longer than a limit. A process that is ready to run, but has not run since the
    /// last sample, is in such a wait.
    ///
    /// A sample does not contain the waits of processes that have ended, so the sum of the waits may decrease from one
    /// sample to the next. The decrease is not subtracted from later waits.
    package mutating func more(of sample: Sample) -> Duration? {
      let more = piece(of: sample)
      last = sample
      total += more ?? .zero
      return more
    }

    private mutating func piece(of sample: Sample) -> Duration? {
      span = min(span, sample.waited)
      let more = sample.waited - span
      if more > Self.tolerance {
        span = sample.waited
        return more
      }
      guard let ran = sample.ranWhileReady else { return nil }
      return last.ranWhileReady == nil || last.ranWhileReady == ran ? Self.pause : nil
    }
  }

  /// A sample of the processes that still run.
  static func of(_ processes: Set<pid_t>) -> Sample {
    let threads = processes.map(threads(of:))
    let all = threads.joined()
    return Sample(
      waited: threads.map { $0.map(\.times.waited).max() ?? .zero }.reduce(.zero, +),
      ranWhileReady: all.contains(where: \.isReady) ? all.map(\.times.ran).reduce(.zero, +) : nil)
  }

  private struct Thread {
    var times: Times
    /// Whether the thread runs, is ready to run, or is in an uninterruptible wait.
    var isReady: Bool
  }

  private static func threads(of process: pid_t) -> [Thread] {
    let tasks = "/proc/\(process)/task"
    return names(in: tasks).compactMap { task in
      guard let times = line(of: "\(tasks)/\(task)/schedstat").flatMap(Times.init) else { return nil }
      return Thread(times: times, isReady: line(of: "\(tasks)/\(task)/stat").map(isReady) ?? false)
    }
  }

  /// The time for which a thread has run, and the time for which it has waited for a processor.
  struct Times: Hashable {
    var ran: Duration
    var waited: Duration

    /// Reads three numbers: the nanoseconds of running, the nanoseconds of waiting for a processor, and the number of
    /// time slices.
    init?(_ line: String) {
      let numbers = line.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
      guard numbers.count == 3, let ran = numbers[0], let waited = numbers[1] else { return nil }
      (self.ran, self.waited) = (.nanoseconds(ran), .nanoseconds(waited))
    }
  }

  /// Whether the state in a line of `stat` is `R` or `D` (proc_pid_stat(5)). The state follows the name in brackets,
  /// which may itself contain brackets and blanks.
  static func isReady(_ line: String) -> Bool {
    guard let end = line.lastIndex(of: ")") else { return false }
    return [") R ", ") D "].contains { line[end...].hasPrefix($0) }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(String(cString: clinux_entry_name(entry)))
    }
    return names
  }

  private static func line(of file: String) -> String? {
    guard let stream = fopen(file, "r") else { return nil }
    defer { fclose(stream) }
    var buffer = [CChar](repeating: 0, count: 128)
    return fgets(&buffer, Int32(buffer.count), stream).map { String(cString: $0) }
  }
}
