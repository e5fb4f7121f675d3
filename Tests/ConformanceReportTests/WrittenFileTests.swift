import Files
import Foundation
import Glibc
import Testing

@testable import Records

/// A written file is complete at the end, or its damage is reported.
@Suite struct WrittenFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/run.jsonl" }

  init() throws { folder = try TemporaryFolder() }

  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var says: String?
    var change: @Sendable (String) throws -> Void
  }

  static let changes = [
    Change(testDescription: "nothing", says: nil) { _ in },
    Change(testDescription: "gone", says: "is gone") { try FileManager.default.removeItem(atPath: $0) },
    Change(testDescription: "emptied", says: "has 0 bytes, and 6 were written") { truncate($0, 0) },
    Change(testDescription: "longer", says: "has 7 bytes, and 6 were written") { truncate($0, 7) },
    Change(testDescription: "another", says: "is another file") { path in
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      try Data("line 1".utf8).write(to: URL(filePath: path))
    },
    Change(testDescription: "a link to another", says: "is another file") { path in
      try FileManager.default.copyItem(atPath: path, toPath: path + ".old")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".old")
    },
  ]

  @Test(arguments: changes, [false, true]) func whatHappenedToAFileIsSaid(change: Change, isClosed: Bool) throws {
    let file = try OutputFile(path)
    try file.write("line 1")
    if isClosed { try file.finish() }
    try change.change(path)
    #expect(file.written?.damage == change.says.map { "'\(path)' \($0)" })
  }

  /// The next line leaves no gap at the beginning of a file that another program emptied.
  @Test func whatIsWrittenNextStandsAtTheEnd() throws {
    let file = try OutputFile(path)
    try file.write("line 1")
    truncate(path, 0)
    try file.write("line 2")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "line 2")
    #expect(file.written?.damage == "'\(path)' has 6 bytes, and 12 were written")
  }
}

@discardableResult private func truncate(_ path: String, _ length: Int) -> Int32 { Glibc.truncate(path, length) }
