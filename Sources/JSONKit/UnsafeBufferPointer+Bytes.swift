extension UnsafeBufferPointer<UInt8> {
  /// Whether one of the bytes is asked for.
  ///
  /// Every byte is looked at, and several at a time: a loop that may end early takes one after the other. Inlinable, since
  /// only with the question in it the loop can.
  @inlinable @inline(__always)
  package func hasByte(where isAskedFor: (UInt8) -> Bool) -> Bool {
    var found: UInt8 = 0
    for byte in self { found |= isAskedFor(byte) ? 1 : 0 }
    return found != 0
  }
}
