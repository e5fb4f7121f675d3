import FoundationEssentials
import Glibc

/// A folder for the files of a measurement. The last reference to it deletes the folder and its contents.
///
/// It is in memory if the system has a file system for that: the recent load of a disk is not a property of the kit.
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
