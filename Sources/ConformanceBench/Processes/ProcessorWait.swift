import CLinux
import Glibc

/// How long a process and what it has started were ready to run and got no processor: time that they did not have.
///
/// Source: Linux, Documentation/scheduler/sched-stats.rst, "/proc/<pid>/schedstat". Zero where the kernel keeps no such
/// count.
enum ProcessorWait {
  /// The wait that a deadline has been moved for so far: each piece of it is given once.
  struct Forgiven: Sendable {
    /// What is too little to say that a limit was too short.
    private static let tolerance = Duration.milliseconds(10)

    private var span = Duration.zero

    /// How much further a deadline moves for processes that have waited so long in all; nil when that is next to nothing.
    mutating func more(of wait: Duration) -> Duration? {
      let more = wait - span
      guard more > Self.tolerance else { return nil }
      span = wait
      return more
    }
  }

  /// The wait of all processes of a group that still run, since each began: for each that of the thread that waited
  /// longest, since threads wait side by side, and processes for one another.
  static func ofGroup(_ group: pid_t) -> Duration {
    names(in: "/proc").lazy.compactMap { pid_t($0) }
      .filter { getpgid($0) == group }
      .map(ofProcess)
      .reduce(.zero, +)
  }

  private static func ofProcess(_ id: pid_t) -> Duration {
    let tasks = "/proc/\(id)/task"
    return names(in: tasks).compactMap { line(of: "\(tasks)/\($0)/schedstat").flatMap(span) }.max() ?? .zero
  }

  /// The second number of three: nanoseconds on a processor, nanoseconds of waiting for one, and how often it got one.
  static func span(in line: String) -> Duration? {
    let numbers = line.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
    return numbers.count == 3 ? numbers[1].map { .nanoseconds($0) } : nil
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
