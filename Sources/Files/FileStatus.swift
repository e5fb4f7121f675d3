import Glibc

/// The kind and size of an entry of the file system.
package struct FileStatus {
  package enum Kind: String {
    case file, folder, link, pipe, socket, device
  }

  package let kind: Kind
  /// The size in bytes.
  package let size: Int

  /// Returns nil if the path does not exist or cannot be examined.
  package init?(_ path: String, followingLinks: Bool = true) {
    var status = stat()
    guard followingLinks ? stat(path, &status) == 0 : lstat(path, &status) == 0 else { return nil }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
    size = Int(status.st_size)
  }

  /// The identity of the running program's file, which differs between builds; nil if the system does not provide it.
  package static var program: String? {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return nil }
    return "\(status.st_dev)-\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)"
  }
}
