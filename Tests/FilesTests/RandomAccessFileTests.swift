import FoundationEssentials
import Testing

@testable import Files

@Suite final class RandomAccessFileTests {
  private let path: String

  init() throws { path = try Disk.makeTemporaryFolder(named: "files") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @Test func readsAtAnyPosition() throws {
    try NewFile.write(Array("abcdef".utf8), to: "\(path)/a", mode: 0o600)
    let file = try RandomAccessFile("\(path)/a")
    #expect(try file.bytes(at: 3, count: 3) == Array("def".utf8))
    #expect(try file.bytes(at: 0, count: 2) == Array("ab".utf8))
    #expect(try file.bytes(at: 6, count: 0) == [])
  }

  @Test func refusesAFileWithFewerBytes() throws {
    try NewFile.write(Array("abcdef".utf8), to: "\(path)/a", mode: 0o600)
    let file = try RandomAccessFile("\(path)/a")
    let problem = #expect(throws: FileProblem.self) { try file.bytes(at: 4, count: 3) }
    #expect(problem?.reason == "it was shortened while it was read")
    #expect(throws: FileProblem.self) { try RandomAccessFile("\(path)/none") }
  }
}
