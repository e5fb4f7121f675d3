/// A file opened for reading.
struct InputFile: ~Copyable {
  let path: String
  let descriptor: Int32

  init(_ path: String) throws(FileProblem) {
    let opened = SystemCall.openForReading(path)
    guard opened >= 0 else { throw FileProblem(.read, path, reason: SystemCall.errorText) }
    self.path = path
    descriptor = opened
  }

  deinit { _ = SystemCall.closeDescriptor(descriptor) }

  /// The next bytes; none at the end of the file.
  func read(atMost limit: Int = 1 << 16) throws(FileProblem) -> [UInt8] {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { space, count in
      result = SystemCall.readSome(descriptor, into: UnsafeMutableRawBufferPointer(space))
      count = max(0, result)
    }
    if result < 0 { throw FileProblem(.read, path, reason: SystemCall.errorText) }
    return bytes
  }
}
