import Glibc

/// Reads a pipe that does not block, piece by piece.
struct PipeReader {
  /// Whose end it reads. Not its own to close.
  let descriptor: Int32
  /// Where bytes are read to: what a pipe holds. Memory of this size is no small matter to the allocator.
  private var piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { $1 = $0.count }

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// One piece: empty at the end, nil when there is nothing to read now.
  mutating func read() -> ArraySlice<UInt8>? {
    let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    return piece[..<max(0, count)]
  }
}
