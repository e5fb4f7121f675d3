import FoundationEssentials
import Glibc

/// A folder for the files of a measurement, removed with all that is in it when nothing needs it any more.
///
/// It lies in memory where the system has a file system for that: how many files a disk made and lost lately is no
/// property of the kit.
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
