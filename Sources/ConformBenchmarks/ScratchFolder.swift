import FoundationEssentials
import Glibc

/// A folder for the files of a measurement, removed with all that is in it when nothing needs it any more.
final class ScratchFolder {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(parent)/conform-bench-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw BenchFailure(system: "mkdtemp in \(parent)") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
