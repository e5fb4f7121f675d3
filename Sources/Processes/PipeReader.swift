import Glibc

/// Reads a nonblocking pipe piece by piece.
package struct PipeReader {
  /// The descriptor of the pipe. Its owner closes it.
  let descriptor: Int32
  /// A buffer with the size of a pipe's buffer. It is reused, since an allocation of this size is expensive.
  private var piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { $1 = $0.count }

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads one piece. The piece is empty at the end of the stream, and nil if no bytes can be read now.
  package mutating func read() -> ArraySlice<UInt8>? {
    let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    return piece[..<max(0, count)]
  }
}
