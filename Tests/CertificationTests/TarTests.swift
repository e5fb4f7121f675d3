import Foundation
import Testing

@testable import Certification

@Suite struct TarTests {
  private static func archive(_ files: [(String, [UInt8])], _ end: Bool = true) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let tar = TarWriter { bytes += $0 }
    for (name, content) in files { try tar.add(name, content) }
    if end { try tar.finish() }
    return bytes
  }

  private static func read(_ bytes: [UInt8], _ limits: TarReader.Limits = .init()) throws -> [String: [UInt8]] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tar")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var reader = try TarReader(file.path, limits: limits)
    var files: [String: [UInt8]] = [:]
    while let (name, content) = try reader.next() { files[name] = content }
    return files
  }

  private static let files: [(String, [UInt8])] = [
    ("certificate.dsse.json", [1]), ("evidence/a.jsonl", [UInt8](repeating: 7, count: 512)),
    ("evidence/b[1]@spec.jsonl", []), ("pack/cases/sdk/all.yaml", [9]), ("pack/protocol.yaml", [9]),
    ("run.jsonl", [UInt8](repeating: 8, count: 70_000)),
  ]

  @Test func readsWhatWasWrittenAndWritesTheSameAgain() throws {
    let bytes = try Self.archive(Self.files)
    #expect(try Self.read(bytes) == Dictionary(uniqueKeysWithValues: Self.files))
    #expect(try Self.archive(Self.files) == bytes)
  }

  @Test func otherToolsReadIt() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.archive(Self.files)).write(to: folder.appending(path: "a.tar"))
    let tar = Process()
    tar.executableURL = URL(filePath: "/usr/bin/env")
    tar.arguments = ["tar", "-xf", "a.tar"]
    tar.currentDirectoryURL = folder
    try tar.run()
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0)
    #expect(try Data(contentsOf: folder.appending(path: "run.jsonl")).count == 70_000)
  }

  @Test func refusesAnArchiveCutAnywhere() throws {
    let bytes = try Self.archive(Array(Self.files.prefix(3)))
    for count in bytes.indices {
      #expect(throws: BundleProblem.self) { try Self.read(Array(bytes[..<count])) }
    }
  }

  @Test(arguments: [
    "/etc/passwd", "../run.jsonl", "evidence/../run.jsonl", "evidence/.hidden", "evidence/", "evidence/a/b",
    "pack", "pack/", "pack//a", "pack/../a", "pack/a/../b", "pack/.git/config", "pack/a/",
    "other.json",
    "evidence/a b", "evidence/\u{1B}", "evidence/" + String(repeating: "a", count: 101),
  ])
  func refusesToWriteAndToReadTheName(name: String) throws {
    #expect(throws: BundleProblem.self) { try Self.archive([(name, [])]) }
    guard name.utf8.count <= 100 else { return }
    var header = TarHeader.bytes(name: "run.jsonl", size: 0)
    header.replaceSubrange(0..<100, with: Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count))
    #expect(throws: BundleProblem.self) { try Self.read(Self.corrected(header) + [UInt8](repeating: 0, count: 1024)) }
  }

  /// A header with the checksum that it needs.
  private static func corrected(_ header: [UInt8]) -> [UInt8] {
    var header = header
    header.replaceSubrange(148..<156, with: Array("        ".utf8))
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    let digits = String(repeating: "0", count: 6 - sum.count) + sum
    header.replaceSubrange(148..<156, with: Array(digits.utf8) + [0, 0x20])
    return header
  }

  /// A type of an entry: hard link, symbolic link, device, folder, pipe, extensions of pax and GNU.
  @Test(arguments: ["1", "2", "3", "5", "6", "x", "g", "L", "\0"])
  func refusesWhatIsNotARegularFile(type: Character) throws {
    var header = TarHeader.bytes(name: "run.jsonl", size: 0)
    header[156] = try #require(type.asciiValue)
    #expect(throws: BundleProblem.self) { try Self.read(Self.corrected(header) + [UInt8](repeating: 0, count: 1024)) }
  }

  @Test func refusesDuplicatesDisorderHiddenBytesAndExcess() throws {
    let one = Self.files[1]
    #expect { try Self.read(Self.archive([one, one])) } throws: { "\($0)".contains("occurs twice") }
    #expect { try Self.read(Self.archive([Self.files[2], one])) } throws: { "\($0)".contains("sorted") }
    #expect { try Self.read(Self.archive(Self.files) + [0]) } throws: { "\($0)".contains("behind its end") }
    var hidden = try Self.archive([Self.files[0]])
    hidden[600] = 1
    #expect { try Self.read(hidden) } throws: { "\($0)".contains("belong to no file") }
    var limits = TarReader.Limits()
    limits.totalSize = 1000
    #expect { try Self.read(Self.archive(Self.files), limits) } throws: { "\($0)".contains("is too large") }
    #expect { try Self.read(Array("{}".utf8) + [UInt8](repeating: 65, count: 2000)) } throws: {
      "\($0)".contains("expected a tar archive")
    }
  }
}
