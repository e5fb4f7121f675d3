import Foundation
import JSONKit
import Testing

/// An SDK that says what a protocol is about in other words is judged by the same cases.
@Suite struct WireTests {
  private static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/sentiance-python").standardized.path

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// The verdicts of a run over the cases about creations, with what they are about.
  private func verdicts(_ options: String, _ more: String...) async throws -> [String] {
    let result = try await conform.run(
      [
        "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py' \(options)", "--case",
        "creation.*",
        "--output", "report", "--quiet",
      ] + more)
    #expect([0, 1, 3].contains(result.code), "\(result.errors)")
    return try folder.text("report/run.jsonl").split(separator: "\n").compactMap { line in
      guard let value = try? JSON(parsing: Array(line.utf8)), value["record"]?.string == "verdict" else { return nil }
      let instance = ["case", "row"].map { value["instance"]?[$0]?.string ?? "" }
      let parts = ["requirement", "outcome", "disposition"].map { value[$0]?.string ?? "" }
      return (instance + parts).joined(separator: " ")
    }.sorted()
  }

  @Test func theSameVerdictsInOtherWords() async throws {
    let own = try await verdicts("")
    let other = try await verdicts("--option wire.other", "--wire", "\(Self.example)/wire")
    #expect(own.count > 50 && own == other)
  }

  @Test func aDefectIsSeenInOtherWords() async throws {
    let own = try await verdicts("--defect tls.anything-trusted")
    let other = try await verdicts(
      "--defect tls.anything-trusted --option wire.other", "--wire", "\(Self.example)/wire")
    let honest = try await verdicts("")
    #expect(own == other && own != honest)
  }

  /// Whoever keeps to the old words says nothing that the other wire knows.
  @Test func theOldWordsAreNotTaken() async throws {
    let result = try await conform(
      "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py'", "--wire",
      "\(Self.example)/wire", "--case", "creation.certificate", "--output", "report")
    #expect(result.code == 3, "\(result.output)")
    let evidence = try folder.text("report/evidence/creation.certificate[expired]@v2.jsonl")
    #expect(evidence.contains("the wire profile has another request for 'sdk-create'"))
  }

  @Test func aFolderThatSaysLessIsRefused() async throws {
    let text = try String(contentsOfFile: "\(Self.example)/wire/sdk-create.json", encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder.file("wire"), withIntermediateDirectories: true)
    try folder.write("wire/sdk-create.json", text.replacing("\"secret?\": \"${secret:text}\",", with: ""))
    let result = try await conform(
      "run", "--protocol", "sentiance", "--sdk", "python3 '\(Self.example)/adapter.py'", "--wire", "wire")
    #expect(result.code == 2)
    #expect(result.errors.contains("$.request: expected a place for ${secret}, found none"), "\(result.errors)")
  }
}
