import SystemPackage

/// A file opened for reading.
package struct InputFile: ~Copyable {
  let path: String
  let descriptor: FileDescriptor

  package init(_ path: String) throws(FileProblem) {
    self.path = path
    descriptor = try FileProblem.wrap(.read, path) {
      try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }
  }

  // What was read is read: nothing can be lost when the descriptor is given back.
  deinit { try? descriptor.close() }

  /// The next bytes; none at the end of the file.
  package func read(atMost limit: Int = 1 << 16) throws(FileProblem) -> [UInt8] {
    try FileProblem.wrap(.read, path) {
      try [UInt8](unsafeUninitializedCapacity: limit) { space, count in
        count = try descriptor.read(into: UnsafeMutableRawBufferPointer(space))
      }
    }
  }

  /// All bytes of a file of at most so many; a longer one is refused before the rest is read.
  package static func contents(of path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    while true {
      let piece = try file.read()
      if piece.isEmpty { return bytes }
      guard bytes.count + piece.count <= limit else {
        throw FileProblem(.read, path, reason: "it is longer than \(limit) bytes")
      }
      bytes += piece
    }
  }
}
