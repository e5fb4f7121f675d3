import ConformanceVerdict
import Glibc

/// The output streams of the process.
enum Output {
  /// Writes lines to stdout.
  static func write(lines: [String]) { write(lines.map { $0 + "\n" }.joined()) }

  /// Writes text to stdout. If the program that reads stdout closes the pipe, this is not an error.
  static func write(_ text: String) {
    guard put(text, STDOUT_FILENO), errno != EPIPE else { return }
    let reason = String(cString: strerror(errno))
    complain("conform: the output could not be written: \(reason)\n")
    exit(ConformanceVerdict.ExitCode.unjudged.rawValue)
  }

  /// Writes text to stderr.
  static func complain(_ text: String) { _ = put(text, STDERR_FILENO) }

  /// Ends the process with success.
  static func finish() -> Never { exit(ConformanceVerdict.ExitCode.conformant.rawValue) }

  /// Writes text to a stream. Returns true if that failed; `errno` is the reason.
  private static func put(_ text: String, _ descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return true }
      rest = rest.dropFirst(count)
    }
    return false
  }
}
