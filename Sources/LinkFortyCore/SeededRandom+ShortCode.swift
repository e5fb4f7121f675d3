import ConformanceModel

extension SeededRandom {
  /// A random short code of eight letters and digits.
  mutating func shortCode() -> String {
    let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789")
    return String((0..<8).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] })
  }
}
