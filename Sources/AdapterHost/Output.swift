import AdapterProtocol

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Messages to the kit: one JSON object on each line of stdout.
final class Output {
  private var held: [UInt8] = []
  private var isHolding = false

  /// Writes the error for a command that the host itself refuses.
  func error(id: Int, code: Int, _ message: String) {
    write(.failure(id: id, RPCError(code: code, message: message)))
  }

  func write(_ message: RPCMessage) {
    held += message.line
    if !isHolding { flush() }
  }

  /// Runs the closure, and then writes all messages of the closure in one piece, so that the kit is woken once.
  func together(_ body: () throws -> Void) rethrows {
    let isOutermost = !isHolding
    isHolding = true
    defer {
      if isOutermost {
        isHolding = false
        flush()
      }
    }
    try body()
  }

  /// Writes the messages that ``together(_:)`` holds back.
  func flush() {
    var rest = held[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(1, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A terminal is one open file for both directions. If its reader does not block, its writer does not block
      // either.
      if count < 0, errno == EAGAIN {
        waitUntilWritable(1)
        continue
      }
      // If the kit does not read any more, it has ended, and the end of stdin follows.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    held.removeAll(keepingCapacity: true)
  }
}

private func waitUntilWritable(_ descriptor: Int32) {
  var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  poll(&output, 1, -1)
}

private func writeBytes(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, base, count)
}
