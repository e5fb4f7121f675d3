extension UnsafeBufferPointer<UInt8> {
  /// Whether the closure returns true for one of the bytes.
  ///
  /// The loop examines all bytes, several at a time. A loop that may end early would examine one byte after another.
  /// The function is inlinable, because the compiler can examine several bytes at a time only if it knows the closure.
  @inlinable @inline(__always)
  package func hasByte(where isAskedFor: (UInt8) -> Bool) -> Bool {
    var found: UInt8 = 0
    for byte in self { found |= isAskedFor(byte) ? 1 : 0 }
    return found != 0
  }
}
