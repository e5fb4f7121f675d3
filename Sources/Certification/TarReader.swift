import Files
import Records

/// Reads a bundle's archive piece by piece, and does not trust the archive. The reader compares the header of a file
/// with the header that ``TarWriter`` would write. If they differ, the reader refuses the file before it reads the
/// content. So the archive cannot contain links, folders, duplicates, extensions, or paths that a bundle does not have.
package struct TarReader: ~Copyable {
  /// The limits for the size of a bundle.
  package struct Limits: Sendable {
    package var files = 100_000
    /// The largest size of one file, in bytes.
    package var fileSize = 1 << 28
    /// The largest size of all files together, in bytes.
    package var totalSize = 1 << 32

    package init() {}
  }

  private var input: Input
  private let limits: Limits
  private var last: String?
  private var files = 0
  private var total = 0
  /// The position in the archive at which the content of the last file begins.
  package private(set) var contentOffset = 0

  /// Opens an archive. Throws ``FileProblem``.
  package init(_ path: String, limits: Limits = Limits()) throws(FileProblem) {
    input = Input(file: try InputFile(path))
    self.limits = limits
  }

  /// The next file with its content; nil at the end. Throws ``FileProblem`` or ``BundleProblem``.
  package mutating func next() throws -> (name: String, bytes: [UInt8])? {
    let header = try input.take(TarHeader.blockSize)
    guard header.count == TarHeader.blockSize else { throw Self.cut(after: last) }
    if header.allSatisfy({ $0 == 0 }) {
      try expectEnd()
      return nil
    }
    let (name, size) = try checked(header)
    contentOffset = input.position
    let bytes = try input.take(size)
    let padding = try input.take((TarHeader.blockSize - size % TarHeader.blockSize) % TarHeader.blockSize)
    guard bytes.count == size, (size + padding.count) % TarHeader.blockSize == 0 else { throw Self.cut(after: name) }
    guard padding.allSatisfy({ $0 == 0 }) else {
      throw BundleProblem("the bundle contains bytes behind '\(name)' that belong to no file")
    }
    return (name, bytes)
  }

  private mutating func checked(_ header: [UInt8]) throws(BundleProblem) -> (name: String, size: Int) {
    let name = TarHeader.name(header)
    guard Array(header[257..<262]) == Array("ustar".utf8) else {
      throw BundleProblem("expected a tar archive (ustar) as 'conform certify' writes it, found something else")
    }
    guard header[156] == UInt8(ascii: "0") else {
      throw BundleProblem("'\(name)' is not a regular file: a bundle contains no links, folders or extensions")
    }
    guard TarHeader.isName(name) else { throw BundleProblem("'\(name)' cannot be the name of a file in a bundle") }
    guard let size = TarHeader.size(header), TarHeader.bytes(name: name, size: size) == header else {
      throw BundleProblem("the header of '\(name)' is not as 'conform certify' writes it")
    }
    if let last {
      guard last != name else { throw BundleProblem("'\(name)' occurs twice in the bundle") }
      guard Array(last.utf8).lexicographicallyPrecedes(Array(name.utf8)) else {
        throw BundleProblem("'\(name)' follows '\(last)': expected sorted names")
      }
    }
    (files, total, last) = (files + 1, total + size, name)
    guard files <= limits.files, size <= limits.fileSize, total <= limits.totalSize else {
      throw BundleProblem(
        "'\(name)' is too large, or one file too many: a bundle has at most \(limits.files) files of \(limits.fileSize) bytes, and"
          + " \(limits.totalSize) bytes in all")
    }
    return (name, size)
  }

  private mutating func expectEnd() throws {
    let rest = try input.take(TarHeader.blockSize)
    guard rest.count == TarHeader.blockSize else { throw Self.cut(after: last) }
    guard rest.allSatisfy({ $0 == 0 }), try input.take(1).isEmpty else {
      throw BundleProblem("the archive contains bytes behind its end")
    }
  }

  private static func cut(after name: String?) -> BundleProblem {
    BundleProblem(name.map { "the archive is cut off in or behind '\($0)'" } ?? "the archive is empty or cut off")
  }
}

extension TarReader {
  /// Reads the file in pieces of any requested size.
  private struct Input: ~Copyable {
    private var file: InputFile
    private var buffer: [UInt8] = []
    private var start = 0
    /// The number of bytes that ``take(_:)`` has returned so far.
    private(set) var position = 0

    init(file: consuming InputFile) { self.file = file }

    /// The next `count` bytes, or fewer at the end of the file.
    mutating func take(_ count: Int) throws(FileProblem) -> [UInt8] {
      while buffer.count - start < count {
        let piece = try file.read(atMost: 1 << 18)
        if piece.isEmpty { break }
        buffer.removeFirst(start)
        start = 0
        buffer += piece
      }
      let end = min(buffer.count, start + count)
      defer { (start, position) = (end, position + end - start) }
      return Array(buffer[start..<end])
    }
  }
}
