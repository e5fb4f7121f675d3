#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The few calls of the system that files need; each goes on after an interruption.
enum SystemCall {
  /// What the last call of this thread failed with.
  static var errorText: String { String(cString: strerror(errno)) }

  /// A descriptor, negative when the file cannot be read.
  static func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

  /// A descriptor of the file, created or emptied; negative when it cannot be written.
  static func openForWriting(_ path: String) -> Int32 { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }

  /// Whether the descriptor was closed without a complaint.
  static func closeDescriptor(_ descriptor: Int32) -> Bool { close(descriptor) == 0 }

  /// How many bytes came: 0 at the end of the file, negative after a failure.
  static func readSome(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = read(descriptor, space.baseAddress, space.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Whether all of the bytes were written.
  static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0 && errno != EINTR { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
    return true
  }
}
