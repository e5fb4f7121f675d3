import ConformanceTranscript
import HTTPValues
import Testing

@testable import Records

@Suite struct TranscriptFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("case.jsonl")
  }

  static let transcript = Transcript(
    header: TranscriptHeader(
      kit: "conform 0.1.0", protocolName: "parcel", specRevision: "2026-03-12", role: "sdk", instance: Sample.full,
      clock: .virtual, epoch: 1_767_225_600_000, seed: .max, subjects: ["sdk": Sample.subject],
      bindings: ["main.url": "http://127.0.0.1:8080", "n": 1.5]),
    entries: [
      .init(number: 1, at: .zero, event: .process(.started(launch: 1))),
      .init(number: 2, at: .milliseconds(0.5), event: .callback(handle: "d1", value: .null)),
      .init(number: 3, at: .seconds(2), event: .output(Octets([0xFF, 0x0A]))),
      .init(number: 4, at: .seconds(2), event: .end(.init(.completed))),
    ])

  private func lines() throws -> [String] {
    try TranscriptFile.write(Self.transcript, to: path)
    return try folder.text(path).split(separator: "\n").map(String.init)
  }

  @Test func aTranscriptSurvivesARoundTrip() throws {
    let lines = try lines()
    #expect(lines.count == 5)
    let file = try TranscriptFile(readingFrom: path)
    #expect(file.transcript == Self.transcript)
    #expect(file.damage == nil)
  }

  @Test func aMissingEndIsStated() throws {
    let cut = try folder.file("cut.jsonl", holding: try lines().dropLast().joined(separator: "\n") + "\n")
    let file = try TranscriptFile(readingFrom: cut)
    #expect(file.transcript.entries == Self.transcript.entries.dropLast())
    #expect(file.transcript.ending == nil)
    #expect(file.damage == "it stops after entry 3, without the entry 'end'")
  }

  @Test func aCutLineIsStated() throws {
    let text = try lines().joined(separator: "\n")
    let cut = try folder.file("cut.jsonl", holding: String(text.dropLast(9)))
    let file = try TranscriptFile(readingFrom: cut)
    #expect(file.transcript.entries == Self.transcript.entries.dropLast())
    #expect(file.damage == "line 5 is cut off")
  }

  @Test func aLastLineWithoutItsLineEndIsWhole() throws {
    let file = try TranscriptFile(readingFrom: try folder.file("a.jsonl", holding: lines().joined(separator: "\n")))
    #expect(file.transcript == Self.transcript)
    #expect(file.damage == nil)
  }

  @Test func damageInTheMiddleIsAnError() throws {
    var damaged = try lines()
    damaged[2] = String(damaged[2].dropLast(3))
    let file = try folder.file("d.jsonl", holding: damaged.joined(separator: "\n"))
    let error = try #require(throws: LineProblem.self) { try TranscriptFile(readingFrom: file) }
    #expect(error.line == 3)
    #expect(error.description.hasPrefix("\(file):3: $: expected "), "\(error)")
  }

  @Test func aLostLineIsAnError() throws {
    var lost = try lines()
    lost.remove(at: 2)
    let file = try folder.file("d.jsonl", holding: lost.joined(separator: "\n"))
    let error = try #require(throws: LineProblem.self) { try TranscriptFile(readingFrom: file) }
    #expect(error.description == "\(file):3: $.n: expected 2, found 3")
  }

  @Test(arguments: [("", "nothing"), ("{\"transcript\":1,\"kit", "part of a line")])
  func withoutAHeaderThereIsNoTranscript(text: String, found: String) throws {
    let file = try folder.file("d.jsonl", holding: text)
    let error = try #require(throws: LineProblem.self) { try TranscriptFile(readingFrom: file) }
    #expect(error.description == "\(file):1: $: expected the header of a transcript, found \(found)")
  }

  @Test func longLinesAreReadWhole() throws {
    var transcript = Self.transcript
    transcript.entries[2].event = .output(Octets(repeatElement(0x61, count: 300_000)))
    try TranscriptFile.write(transcript, to: path)
    #expect(try TranscriptFile(readingFrom: path).transcript == transcript)
  }
}
