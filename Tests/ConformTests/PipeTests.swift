import ConformanceVerdict
import Foundation
import Testing

/// A named file may be a pipe. It is read once, and a pipe whose other end is not open does not block without end.
@Suite struct PipeTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
  }

  /// One command for each place at which named files are read.
  @Test(arguments: ["report pipe", "show pipe", "run --baseline pipe", "run --server-file pipe"])
  func nobodyWritesToIt(line: String) async throws {
    let before = try folder.names()
    let result = try await conform.run(line.split(separator: " ").map(String.init))
    #expect(result.code == 2)
    #expect(result.errors.contains("pipe that no process"), "\(result.errors)")
    #expect(try folder.names() == before)
  }

  @Test func nobodyReadsIt() async throws {
    let result = try await conform(
      "run", "--case", "server.health.status", "--dialect", "spec", "--quiet", "--junit", "pipe")
    #expect(result.code == 3)
    let reasons = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).conclusion.reasons
    #expect(reasons.contains { $0.contains("cannot write 'pipe': it is a pipe that no process reads") }, "\(reasons)")
    #expect(try await conform("report", "conform-report/run.jsonl").code == 3)
  }

  /// Commands give the same output for a record or a transcript in a file and in a pipe.
  @Test(arguments: ["report run", "matrix run --role server", "baseline write run", "judge case", "show case"])
  func anotherCommandWritesToIt(line: String) async throws {
    let words = [
      "run", "--case", "server.health.status", "--dialect", "spec", "--defect", "health.needs-key", "--quiet",
    ]
    // On a busy machine a case may stay unjudged, but there is a record all the same.
    try #require([1, 3].contains(try await conform.run(words).code))
    let files = ["run": "conform-report/run.jsonl", "case": "conform-report/evidence/server.health.status@spec.jsonl"]
    let (name, file) = try #require(files.first { line.contains(" \($0.key)") })
    let ofFile = try await conform.shell("conform " + line.replacing(" " + name, with: " " + file))
    let piped = line.replacing(" " + name, with: " /dev/stdin")
    let ofPipe = try await conform.shell("(sleep 0.2; cat \(file)) | conform \(piped)")
    let named = line.replacing(" " + name, with: " pipe")
    let ofNamedPipe = try await conform.shell("cat \(file) > pipe & conform \(named)")
    for (result, path) in [(ofPipe, "/dev/stdin"), (ofNamedPipe, "pipe")] {
      #expect(result.code == ofFile.code)
      #expect(result.output.replacing(path, with: file) == ofFile.output, "\(result.errors)")
    }
  }

  @Test func whoeverReadsAPipeGetsTheWholeJUnitFile() async throws {
    let result = try await conform.shell(
      "cat pipe > copy.xml & conform run --case server.health.status --dialect spec --quiet --junit pipe; wait")
    #expect(result.code == 0)
    let copy = try folder.text("copy.xml")
    #expect(copy.hasSuffix("</testsuites>\n"), "\(copy.suffix(80))")
  }
}
