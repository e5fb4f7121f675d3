import Glibc

/// What is on its way to an adapter's stdin.
struct AdapterOutbox {
  /// The process's stdin; nil before the start and once nobody reads it any more.
  var input: Int32?
  private var bytes: ArraySlice<UInt8> = []
  /// Whether it waits for what is sent next, and not for stdin to take more.
  private(set) var isHeld = false

  /// Whether it waits for stdin to take more.
  var isBlocked: Bool { !bytes.isEmpty && !isHeld }

  /// Adds a line, which is held until something is written.
  mutating func append(_ line: [UInt8]) {
    if bytes.isEmpty { isHeld = true }
    bytes += line
  }

  /// Writes as much as stdin takes now; false when nobody reads it any more.
  mutating func write() -> Bool {
    isHeld = false
    guard let input else { return true }
    if bytes.isEmpty { return false }
    let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    bytes = bytes.count == count ? [] : bytes.dropFirst(count)
    return true
  }
}
