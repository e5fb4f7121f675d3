import FoundationEssentials
import Glibc
import Testing

@testable import Files

/// Files of a folder that the kit holds open, and its lock.
@Suite final class OpenFolderTests {
  private let path: String

  init() throws { path = try Disk.makeTemporaryFolder(named: "files") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @Test func aFileIsWrittenReplacedAndRemoved() throws {
    let folder = try OpenFolder(path)
    try folder.write("long text", to: "a")
    try folder.write("b", to: "a")
    #expect(try InputFile.contents(of: "\(path)/a", atMost: 10) == Array("b".utf8))
    try folder.remove("a")
    try folder.remove("a")
    #expect(FileStatus("\(path)/a") == nil)
  }

  @Test func aLinkIsNotFollowed() throws {
    let folder = try OpenFolder(path)
    try folder.write("kept", to: "a")
    symlink("a", "\(path)/link")
    symlink(path, "\(path)/loop")
    #expect(throws: FileProblem.self) { try folder.write("x", to: "link") }
    #expect(throws: FileProblem.self) { try folder.folder("loop") }
    Disk.removeRegular("\(path)/link")
    #expect(FileStatus("\(path)/link", followingLinks: false)?.kind == .link)
    #expect(try InputFile.contents(of: "\(path)/a", atMost: 10) == Array("kept".utf8))
  }

  @Test func aFolderInItIsMadeOnce() throws {
    let inner = try OpenFolder(path).folder("inner")
    try inner.write("x", to: "a")
    #expect(FileStatus("\(path)/inner")?.kind == .folder)
    #expect(try OpenFolder(path).folder("inner").path == inner.path)
    #expect(OpenFolder.names(in: inner.path) == ["a"])
    #expect(OpenFolder.names(in: "\(path)/none") == nil)
  }

  @Test func aNewFileReplacesNothing() throws {
    let file = "\(path)/new"
    try NewFile.write(Array("first".utf8), to: file, mode: 0o600)
    #expect(throws: NewFile.Exists.self) { try NewFile.write(Array("second".utf8), to: file, mode: 0o600) }
    #expect(FileStatus(file)?.size == 5)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try NewFile.make("\(path)/half", mode: 0o600) { write in
        try write([1])
        throw Stop()
      }
    }
    #expect(FileStatus("\(path)/half") == nil)
  }

  @Test func aLockIsHeldByOneOwner() throws {
    let folder = try OpenFolder(path)
    let lock = try LockFile("lock", in: folder)
    try lock.write("first line\nprocess 1")
    guard
      case .held("process 1")? = refusal({ () throws(LockFile.Refusal) in _ = try LockFile(existing: "\(path)/lock") })
    else {
      Issue.record("the lock is taken twice")
      return
    }
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: ["pipe", "second-name"]) func onlyAFileWithOneNameIsLocked(kind: String) throws {
    let place = "\(path)/lock"
    if kind == "pipe" {
      mkfifo(place, 0o600)
    } else {
      try NewFile.write([], to: place, mode: 0o600)
      link(place, "\(path)/other")
    }
    guard case .notRegular? = refusal({ () throws(LockFile.Refusal) in _ = try LockFile(existing: place) }) else {
      Issue.record("it is locked")
      return
    }
  }

  @Test func anAbsentLockIsNone() throws {
    #expect(try LockFile(existing: "\(path)/none") == nil)
  }

  private func refusal(_ lock: () throws(LockFile.Refusal) -> Void) -> LockFile.Refusal? {
    do { try lock() } catch { return error }
    return nil
  }

  @Test(arguments: [
    ("a", ".", "a"), ("/a", "/", "a"), ("b/a", "b", "a"), ("/c/b/a", "/c/b", "a"), ("b/", "b", ""),
  ])
  func aPathHasAFolderAndAName(path: String, folder: String, name: String) {
    #expect(PathParts(path).folder == folder)
    #expect(PathParts(path).name == name)
  }
}
