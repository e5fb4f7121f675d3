import CLinux
import Glibc

/// The resident memory of this process, as Linux reports it.
enum OwnMemory {
  /// The current amount, in megabytes.
  static func resident() throws -> Double { try field("VmRSS:") }

  /// The largest amount since the last ``forgetPeak()``, in megabytes.
  static func peak() throws -> Double { try field("VmHWM:") }

  /// Returns free memory to the system, and resets the peak to the current amount (proc_pid_clear_refs(5)).
  static func forgetPeak() throws {
    _ = malloc_trim(0)
    guard let file = fopen("/proc/self/clear_refs", "w") else { throw BenchFailure(system: "/proc/self/clear_refs") }
    fputs("5", file)
    if fclose(file) != 0 { throw BenchFailure(system: "/proc/self/clear_refs") }
  }

  /// The value of a line of `/proc/self/status`, in megabytes. For `VmRSS:     1234 kB` it is 1.26.
  private static func field(_ name: String) throws -> Double {
    guard let file = fopen("/proc/self/status", "r") else { throw BenchFailure(system: "/proc/self/status") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split { $0 == "\t" || $0 == " " }
      if words.first == name[...], words.count > 1, let kibibytes = Double(words[1]) {
        return kibibytes * 1024 / 1_000_000
      }
    }
    throw BenchFailure("/proc/self/status has no line \(name)")
  }
}
