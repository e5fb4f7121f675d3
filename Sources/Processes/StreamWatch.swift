import Glibc

/// Waits for the streams of a child process and for its exit at the same time.
package struct StreamWatch {
  /// The watched descriptors, in the order in which they are served: a log line is read before the reply that follows
  /// it.
  package enum Stream: Int, CaseIterable {
    case wake, errors, output, input, exit
  }

  private var entries: [pollfd]
  /// A descriptor that becomes readable when the supervisor of the child ends. The owner of the descriptor closes it.
  private let supervisor: Int32

  package init(_ child: ChildProcess, wake: Int32) {
    let descriptors = Stream.allCases.map { stream -> Int32 in
      switch stream {
      case .wake: wake
      case .errors: child.errors
      case .output: child.output
      case .input: child.input
      case .exit: child.exit
      }
    }
    supervisor = child.supervisor
    entries = (descriptors + [supervisor]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  /// The descriptor of a stream; nil if the stream is not watched any more.
  package func descriptor(_ stream: Stream) -> Int32? {
    let descriptor = entries[stream.rawValue].fd
    return descriptor < 0 ? nil : descriptor
  }

  /// Reads all bytes from the wake-up pipe.
  package func quieten() {
    var bytes = [UInt8](repeating: 0, count: 64)
    if let wake = descriptor(.wake) { _ = read(wake, &bytes, bytes.count) }
  }

  /// Closes the stream and stops watching it.
  package mutating func close(_ stream: Stream) {
    guard let descriptor = descriptor(stream) else { return }
    Glibc.close(descriptor)
    entries[stream.rawValue].fd = -1
  }

  /// Stops watching a stream without closing it.
  package mutating func leave(_ stream: Stream) { entries[stream.rawValue].fd = -1 }

  /// Waits until a stream is ready or the time is over. Returns the streams that are ready.
  ///
  /// - Parameter writes: whether to wait until stdin can be written. A closed stdin is reported in any case.
  package mutating func wait(writes: Bool, atMost span: Duration) -> [Stream] {
    entries[Stream.input.rawValue].events = writes ? Int16(POLLOUT) : 0
    guard poll(&entries, nfds_t(entries.count), Self.milliseconds(span)) > 0 else { return [] }
    // Without its supervisor a child counts as ended.
    let isLost = entries[Stream.allCases.count].revents != 0
    return Stream.allCases.filter {
      entries[$0.rawValue].fd >= 0 && entries[$0.rawValue].revents != 0 || isLost && $0 == .exit
    }
  }

  /// The span in milliseconds for poll(2), rounded up so that a deadline has passed when poll returns.
  private static func milliseconds(_ span: Duration) -> Int32 {
    let (seconds, attoseconds) = span.components
    if seconds < 0 || attoseconds < 0 { return 0 }
    return Int32(clamping: min(seconds, Int64(Int32.max / 1000)) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
