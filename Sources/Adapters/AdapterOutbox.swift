import Glibc

/// The bytes that are on their way to an adapter's stdin.
struct AdapterOutbox {
  /// The process's stdin; nil before the start and after the process has closed it.
  var input: Int32?
  private var bytes: ArraySlice<UInt8> = []
  /// True while the bytes are held back so that they are written together with the next command; false while they wait
  /// for space in the pipe.
  private(set) var isHeld = false

  /// Whether the outbox waits for space in the pipe.
  var isBlocked: Bool { !bytes.isEmpty && !isHeld }

  /// Adds a line, which ``write()`` writes later.
  mutating func append(_ line: [UInt8]) {
    if bytes.isEmpty { isHeld = true }
    bytes += line
  }

  /// Writes as many bytes as the pipe has room for. Returns false if the process has closed its stdin.
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
