import SystemPackage

/// A file opened for reading.
struct InputFile: ~Copyable {
  let path: String
  let descriptor: FileDescriptor

  init(_ path: String) throws(FileProblem) {
    self.path = path
    descriptor = try FileProblem.wrap(.read, path) {
      try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    }
  }

  // What was read is read: nothing can be lost when the descriptor is given back.
  deinit { try? descriptor.close() }

  /// The next bytes; none at the end of the file.
  func read(atMost limit: Int = 1 << 16) throws(FileProblem) -> [UInt8] {
    try FileProblem.wrap(.read, path) {
      try [UInt8](unsafeUninitializedCapacity: limit) { space, count in
        count = try descriptor.read(into: UnsafeMutableRawBufferPointer(space))
      }
    }
  }
}
