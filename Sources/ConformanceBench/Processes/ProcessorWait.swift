import CLinux
import Glibc

/// How long a process and what it has started were ready to run and got no processor: time that they did not have.
///
/// Source: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat". Zero where the kernel keeps no such
/// count.
package enum ProcessorWait {
  /// What is known of some processes at one time.
  package struct Sample: Hashable, Sendable {
    package static let none = Sample(waited: .zero)

    /// The waits that are over: for each process that of the thread that waited longest, since threads wait side by
    /// side, and processes for one another.
    var waited: Duration
    /// How long all of them were on a processor, if one of them is ready to run now, or waits for the machine in a way
    /// that not even a signal ends, as for a page from the disk.
    var ranWhileReady: Duration?
  }

  /// The wait that a deadline has been moved for so far: each piece of it is given once.
  struct Forgiven: Sendable {
    /// What is too little to say that a limit was too short.
    private static let tolerance = Duration.milliseconds(10)
    /// When to look again whether a wait is over that nobody has counted yet.
    private static let pause = Duration.seconds(1)

    /// By how much deadlines have moved.
    private(set) var total = Duration.zero
    private var span = Duration.zero
    private(set) var last = Sample.none

    /// How much further a deadline moves for processes of which this is known now; nil when that is next to nothing.
    ///
    /// The kernel counts a wait for a processor when it is over, and one for a disk not at all. On a machine that is busy
    /// enough either lasts longer than a limit: whoever is ready to run and did not run since the last look is in the
    /// midst of one.
    ///
    /// Who has ended takes the waits of its own out of the sum: they must not stand against those of others.
    mutating func more(of sample: Sample) -> Duration? {
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

  /// What is known of the processes that still run, since each began.
  static func of(_ processes: Set<pid_t>) -> Sample {
    let threads = processes.map(threads(of:))
    let all = threads.joined()
    return Sample(
      waited: threads.map { $0.map(\.times.waited).max() ?? .zero }.reduce(.zero, +),
      ranWhileReady: all.contains(where: \.isReady) ? all.map(\.times.ran).reduce(.zero, +) : nil)
  }

  private struct Thread {
    var times: Times
    /// Whether it runs, or would if the machine let it.
    var isReady: Bool
  }

  private static func threads(of process: pid_t) -> [Thread] {
    let tasks = "/proc/\(process)/task"
    return names(in: tasks).compactMap { task in
      guard let times = line(of: "\(tasks)/\(task)/schedstat").flatMap(Times.init) else { return nil }
      return Thread(times: times, isReady: line(of: "\(tasks)/\(task)/stat").map(isReady) ?? false)
    }
  }

  /// How long a thread was on a processor, and how long it waited for one.
  struct Times: Hashable {
    var ran: Duration
    var waited: Duration

    /// Reads three numbers: nanoseconds on a processor, nanoseconds of waiting for one, and how often it got one.
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
