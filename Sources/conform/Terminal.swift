import Glibc

/// The two streams of the process, and what is known of the terminals behind them.
enum Terminal {
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether colours may be used on stdout: a terminal, and neither `NO_COLOR` nor a dumb one.
  static var outputHasColours: Bool {
    guard outputIsTerminal else { return false }
    let isOff = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return !isOff && !isDumb
  }

  /// The columns of the terminal behind stdout; 80 when there is none.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  static func output(_ text: String) { write(text, to: STDOUT_FILENO) }
  static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Nobody reads any more: the exit code still says how it went.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
