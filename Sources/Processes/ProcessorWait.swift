import CLinux
import Glibc

/// The time that a process and its children were ready to run and got no processor.
///
/// Source: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat". Zero if the kernel does not count
/// it.
package enum ProcessorWait {
  /// The state of some processes at one time.
  package struct Sample: Hashable, Sendable {
    package static let none = Sample(waited: .zero)

    /// The sum of the finished waits. A process counts with the thread that waited longest, since its threads wait side
    /// by side; the waits of processes add up, since processes wait for each other.
    package var waited: Duration
    /// The total time on a processor, if one of the processes is ready to run now, or is in a wait that not even a
    /// signal interrupts, such as for a page from the disk.
    var ranWhileReady: Duration?
  }

  /// The wait by which a deadline was moved so far. Each part of it counts once.
  package struct Forgiven: Sendable {
    /// The wait that is too short to affect a limit.
    private static let tolerance = Duration.milliseconds(10)
    /// The time after which an unfinished wait counts.
    private static let pause = Duration.seconds(1)

    /// The time by which deadlines have moved.
    package private(set) var total = Duration.zero
    private var span = Duration.zero
    package private(set) var last = Sample.none

    package init() {}

    /// Returns the time by which a deadline moves further for this sample; nil if it is negligible.
    ///
    /// The kernel counts a wait for a processor when it ends, and a wait for a disk not at all. On a busy machine
    /// either may last longer than a limit. A process that is ready to run and did not run since the last sample is in
    /// such a wait.
    ///
    /// The waits of a process that has ended are missing in the sum. They must not be subtracted from the waits of
    /// others.
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

  /// Samples the processes that still run.
  static func of(_ processes: Set<pid_t>) -> Sample {
    let threads = processes.map(threads(of:))
    let all = threads.joined()
    return Sample(
      waited: threads.map { $0.map(\.times.waited).max() ?? .zero }.reduce(.zero, +),
      ranWhileReady: all.contains(where: \.isReady) ? all.map(\.times.ran).reduce(.zero, +) : nil)
  }

  private struct Thread {
    var times: Times
    /// Whether the thread runs, or waits only for the machine.
    var isReady: Bool
  }

  private static func threads(of process: pid_t) -> [Thread] {
    let tasks = "/proc/\(process)/task"
    return names(in: tasks).compactMap { task in
      guard let times = line(of: "\(tasks)/\(task)/schedstat").flatMap(Times.init) else { return nil }
      return Thread(times: times, isReady: line(of: "\(tasks)/\(task)/stat").map(isReady) ?? false)
    }
  }

  /// The time that a thread was on a processor, and the time that it waited for one.
  struct Times: Hashable {
    var ran: Duration
    var waited: Duration

    /// Reads three numbers: nanoseconds on a processor, nanoseconds of waiting for one, and the number of times on one.
    init?(_ line: String) {
      let numbers = line.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
      guard numbers.count == 3, let ran = numbers[0], let waited = numbers[1] else { return nil }
      (self.ran, self.waited) = (.nanoseconds(ran), .nanoseconds(waited))
    }
  }

  /// Whether the state behind the name, which may itself have brackets and blanks in it, is `R` or `D`
  /// (proc_pid_stat(5)).
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
