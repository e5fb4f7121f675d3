#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension [UInt8] {
  /// The index of the first line feed at `start` or later; nil if no line feed follows.
  package func firstLineFeed(from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = memchr(base + start, 0x0A, bytes.count - start) else {
        return nil
      }
      return UnsafeRawPointer(found) - base
    }
  }
}
