import ConformanceJudge
import ConformanceModel
import ConformanceSpec
import ConformanceTranscript
import Foundation
import Records
import Synchronization
import Testing

@Suite struct ServeTests {
  /// The lines that a program writes to a pipe, as they come.
  static func lines(of pipe: Pipe) -> AsyncStream<String> {
    AsyncStream { continuation in
      let rest = Mutex("")
      // The pipe lives until its end was read, also if another process has it.
      pipe.fileHandleForReading.readabilityHandler = { _ in
        let data = pipe.fileHandleForReading.availableData
        if data.isEmpty {
          pipe.fileHandleForReading.readabilityHandler = nil
          return continuation.finish()
        }
        rest.withLock { rest in
          rest += String(decoding: data, as: UTF8.self)
          while let end = rest.firstIndex(of: "\n") {
            continuation.yield(String(rest[..<end]))
            rest.removeSubrange(...end)
          }
        }
      }
    }
  }

  @Test func theReferenceServerIsAServerUnderTestUntilItIsInterrupted() async throws {
    let folder = try Scratch()
    let conform = Command(in: folder)
    let output = Pipe()
    let server = try conform.start(["serve", "--dialect", "spec"], output: .pipe(output), errors: .file("errors"))
    defer { server.signal(SIGTERM) }
    var lines = Self.lines(of: output).makeAsyncIterator()
    var greeting: [String] = []
    while let line = await lines.next() {
      greeting.append(line)
      if line.hasPrefix("  dialect ") { break }
    }
    let url = try #require(greeting.first?.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
    let rows = greeting.map { $0.replacing(/\ +/, with: " ") }
    for row in [" api \(url)", " page \(url)/_conform/#", " apiKey ", " try curl -i '\(url)/", " reset curl -X PATCH "]
    {
      #expect(rows.contains { $0.hasPrefix(row) }, "\(row): \(greeting)")
    }
    let result = try await conform("run", "--server", String(url), "--case", "server.health.*")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("server server at 127.0.0.1"))
    server.signal(SIGINT)
    var seen: [String] = []
    while let line = await lines.next() { seen.append(line) }
    #expect(await server.ending == .exited(code: 0))
    #expect(
      seen.contains { $0.contains(/^\d\d:\d\d:\d\d\.\d\d\d  200  +\d+ ms  GET \/api\/sdk\/v1\/health  health$/) },
      "\(seen)")
    #expect(try folder.text("errors") == "\nconform: stopping (interrupt again to end at once)\n")
  }

  /// Another device gets the page at an address of this machine.
  @Test func aServerAtAllAddressesHasItsPageAtEach() async throws {
    let folder = try Scratch()
    let output = Pipe()
    let server = try Command(in: folder).start(["serve", "--host", "0.0.0.0"], output: .pipe(output))
    defer { server.signal(SIGTERM) }
    var lines = Self.lines(of: output).makeAsyncIterator()
    let line = try #require(await lines.next())
    let url = String(try #require(line.firstMatch(of: /http:\/\/[\d.]+:\d+/)).output)
    #expect(!url.contains("0.0.0.0"), "\(line)")
    let answer = try await Command(in: folder).shell("curl -s -o page -w '%{http_code}' \(url)/_conform/")
    #expect(answer.output == "200", "\(answer.output)")
    #expect(try folder.text("page").contains("<html"))
  }

  /// The claims about every request hold for those of the references, whatever a case does with them.
  @Test(
    arguments: [
      ("linkforty", "spec", "1,2,4,5,7"), ("mobile-engage", "v3", "1,2,3,4,5"), ("sentiance", "v2", "1,2,3,4"),
    ])
  func requestsOfTheReferencesViolateNothing(name: String, dialect: String, features: String) async throws {
    let scratch = try Scratch()
    let run = try await Command(in: scratch)(
      "run", "--protocol", name, "--dialect", dialect, "--feature", features, "--quiet", "--output", "out")
    try #require(run.code == 0, "\(run.output)\(run.errors)")
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
    let folder = CatalogueFolder(root: root)
    let catalogue = try await CatalogueLoader(folder, schemas: try SchemaSet(folder)).sources(of: name).catalogue
    let judge = RequestJudge(catalogue: catalogue, checks: [:])
    var judged: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: scratch.file("out/evidence"))
    where file.hasSuffix(".jsonl") {
      let transcript = try TranscriptFile(readingFrom: scratch.file("out/evidence/\(file)")).transcript
      for entry in transcript.entries {
        guard case .request(let service, let record) = entry.event else { continue }
        if let exchange = record.exchange { judged.insert(exchange) }
        let found = judge.violations(
          of: record, at: ServiceName(service), in: transcript.header.instance.dialect,
          now: transcript.header.bindings["now"]?.string ?? "")
        #expect(found.isEmpty, "\(file) \(record.line) \(record.headers) \(record.body.text): \(found)")
      }
    }
    #expect(judged.count > 3, "\(judged)")
  }
}
