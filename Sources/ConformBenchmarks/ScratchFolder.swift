import FoundationEssentials
import Glibc

/// A folder for the files of a measurement. The folder and its contents are deleted with the object.
///
/// The folder is in memory if the system has /dev/shm. Otherwise, earlier load on the disk could change the figures.
final class ScratchFolder {
  let path: String

  init() throws {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var name = Array("\(parent)/conform-bench-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw BenchFailure(system: "mkdtemp in \(parent)") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
