import Glibc

/// The identity and length of a regular file that the kit wrote. At the end of a run, the path must still lead to this
/// file.
package struct WrittenFile: Sendable {
  package let path: String
  let device: dev_t
  let inode: ino_t
  /// The number of bytes that were written.
  var length: Int64

  /// The file that the descriptor has open; nil if this is a pipe or a device, whose data cannot be read again.
  init?(_ path: String, descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    (device, inode, length) = (status.st_dev, status.st_ino, 0)
  }

  /// Explains why the path does not lead to the written file. nil if the path leads to it.
  package var damage: String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT ? "'\(path)' is gone" : "'\(path)' cannot be found: \(String(cString: strerror(errno)))"
    }
    guard status.st_dev == device, status.st_ino == inode else { return "'\(path)' is another file" }
    guard status.st_size == length else {
      return "'\(path)' has \(status.st_size) bytes, and \(length) were written"
    }
    return nil
  }
}
