import Foundation
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
    let first = try #require(await lines.next())
    let url = try #require(first.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
    let result = try await conform("run", "--server", String(url), "--case", "server.health.*")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("server server at 127.0.0.1"))
    server.signal(SIGINT)
    var seen: [String] = []
    while let line = await lines.next() { seen.append(line) }
    #expect(await server.ending == .exited(code: 0))
    #expect(seen.contains { $0.hasPrefix("→ GET /api/sdk/v1/health HTTP/1.1") })
    #expect(seen.contains { $0.hasPrefix("← HTTP/1.1 200 OK") })
    #expect(try folder.text("errors") == "\nconform: stopping (interrupt again to end at once)\n")
  }
}
