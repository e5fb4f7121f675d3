import Foundation
import Synchronization
import Testing

@Suite struct ServeTests {
  /// The lines that a process writes to stdout, as they come.
  static func lines(of process: Process) -> AsyncStream<String> {
    let pipe = Pipe()
    process.standardOutput = pipe
    return AsyncStream { continuation in
      let rest = Mutex("")
      pipe.fileHandleForReading.readabilityHandler = { handle in
        let data = handle.availableData
        if data.isEmpty {
          handle.readabilityHandler = nil
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
    let server = conform.prepared(["serve", "--dialect", "spec"])
    let errors = Pipe()
    server.standardError = errors
    var lines = Self.lines(of: server).makeAsyncIterator()
    try server.run()
    defer { if server.isRunning { server.terminate() } }
    let first = try #require(await lines.next())
    let url = try #require(first.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output
    let result = try await conform("run", "--server", String(url), "--case", "server.health.*")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("server server at 127.0.0.1"))
    server.interrupt()
    var seen: [String] = []
    while let line = await lines.next() { seen.append(line) }
    server.waitUntilExit()
    #expect(server.terminationStatus == 0)
    #expect(seen.contains { $0.hasPrefix("→ GET /api/sdk/v1/health HTTP/1.1") })
    #expect(seen.contains { $0.hasPrefix("← HTTP/1.1 200 OK") })
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said == "\nconform: stopping (once more ends at once)\n")
  }
}
