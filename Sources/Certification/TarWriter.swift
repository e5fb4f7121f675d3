/// Writes a bundle's archive. The same files always result in the same bytes.
package struct TarWriter {
  private let write: ([UInt8]) throws -> Void

  /// - Parameter write: called with the next bytes of the archive.
  package init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  /// Adds a file. Files must be added in the order of the bytes of their names. Throws ``BundleProblem`` for a name
  /// that a bundle cannot contain.
  package func add(_ name: String, _ bytes: [UInt8]) throws {
    guard TarHeader.isName(name) else {
      throw BundleProblem("'\(name)' cannot be in a bundle: the last part of a name has at most 100 plain characters")
    }
    try write(TarHeader.bytes(name: name, size: bytes.count))
    try write(bytes)
    let rest = bytes.count % TarHeader.blockSize
    if rest > 0 { try write([UInt8](repeating: 0, count: TarHeader.blockSize - rest)) }
  }

  /// Writes the end of the archive.
  package func finish() throws { try write([UInt8](repeating: 0, count: 2 * TarHeader.blockSize)) }
}

/// The reason why a file is not a valid bundle, as a sentence.
package struct BundleProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
