import ConformanceVerdict
import Foundation
import Records
import Testing

/// Records that the commands for reports refuse, made once for all tests.
struct ReportInputs {
  /// The names of the bad records, and what the message says of each.
  static let bad = [
    ("missing", "cannot read"), ("folder", "cannot read"), ("text", "expected a value"),
    ("forged", "the digest of this line and those before it"),
    ("cut", "expected a run of a case that has a line before it"),
    ("older", "version 4"), ("headless", "the 'run' line that begins a run record"),
  ]

  static let shared = Task { try await ReportInputs() }

  private let toy: ToyCertifier

  /// The path of a file.
  func path(_ name: String) -> String { toy.scratch.file(name == "good" ? ToyCertifier.record : name) }

  var pack: String { toy.scratch.file(ToyCertifier.pack) }

  private init() async throws {
    toy = try await ToyCertifier()
    let good = try toy.scratch.text(ToyCertifier.record)
    let lines = good.split(separator: "\n").map(String.init)
    func write(_ name: String, _ lines: [String]) throws {
      try toy.scratch.write(name, lines.map { $0 + "\n" }.joined())
    }
    try write("forged", lines.map { $0.replacing("\"line\":", with: "\"line\": ") })
    try write("cut", lines.enumerated().filter { $0.offset != lines.count / 2 }.map(\.element))
    try write("older", [lines[0].replacing("\"version\":4", with: "\"version\":3")] + lines.dropFirst())
    try write("headless", Array(lines.dropFirst()))
    try toy.scratch.write("text", "just a text\n")
    try FileManager.default.createDirectory(atPath: path("folder"), withIntermediateDirectories: false)
    var record = try RunRecord(readingFrom: path("good"))
    record.header.protocolName = "parcel"
    let writer = try RunRecordWriter(path("other"), header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
    // The part of a small suite may be empty.
    _ = try await toy.run("--shard 1/2 --output shard")
    try #require(toy.scratch.exists("Examples/toy/shard/run.jsonl"))
  }

  /// The words of a line: `@name` is the path of a record, and `%` the pack.
  func words(_ line: String) -> [String] {
    line.split(separator: " ").map { word in
      switch word.first {
      case "@": path(word == "@shard" ? "Examples/toy/shard/run.jsonl" : String(word.dropFirst()))
      case "%": pack
      default: String(word)
      }
    }
  }
}
