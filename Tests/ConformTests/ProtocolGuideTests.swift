import Foundation
import Programs
import Testing

/// The page that writes a protocol from an empty folder, done as it says: its files are written, its commands are run, and
/// what it shows of their output is there.
@Suite struct ProtocolGuideTests {
  /// A block of the page: its language, the file that it is, and its lines.
  struct Block: Sendable {
    var language: Substring
    var file: Substring?
    var lines: [Substring]

    /// The blocks of a page in their order.
    static func all(in page: String) -> [Block] {
      var blocks: [Block] = []
      var open: Block?
      for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("```") else {
          open?.lines.append(line)
          continue
        }
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          let words = line.dropFirst(3).split(separator: " ")
          open = Block(language: words.first ?? "", file: words.dropFirst().first, lines: [])
        }
      }
      return blocks
    }
  }

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../spec/kit/protocol-guide.md")

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  @Test func everyCommandDoesWhatThePageSays() async throws {
    var reader = Reader(conform: conform)
    defer { reader.stop() }
    for block in Block.all(in: try String(contentsOf: Self.page, encoding: .utf8)) {
      switch (block.language, block.file) {
      case ("sh", nil): for line in block.lines { try await reader.run(String(line)) }
      case ("text", nil): reader.expect(block.lines)
      case (_, let file?): try folder.write(String(file), block.lines.joined(separator: "\n") + "\n")
      default: Issue.record("a block of the page is neither a file nor a command nor its output: \(block)")
      }
    }
    #expect(reader.count >= 17)
    #expect(reader.codes.contains(0) && reader.codes.contains(1))
    #expect(reader.output.contains("the proof holds"), "the page ends with a suite that is proven")
  }

  /// Somebody who types what the page says. Servers get free ports instead of those of the page.
  private struct Reader {
    let conform: Command
    private(set) var count = 0
    private(set) var codes: Set<Int32> = []
    private(set) var output = ""
    private var servers: [StartedProgram] = []
    private var addresses: [String: String] = [:]

    init(conform: Command) { self.conform = conform }

    mutating func run(_ line: String) async throws {
      count += 1
      if let port = line.firstMatch(of: /^conform serve .*--port (\d+)$/)?.output.1 {
        return try await serve(line, port: String(port))
      }
      let typed = addresses.reduce(line) { $0.replacing($1.key, with: $1.value) }
      let result = try await conform.shell(typed)
      #expect(result.code <= 1, "\(line): \(result.output)\(result.errors)")
      let isRed = result.output.contains("not conformant") || result.output.contains("the proof does not hold")
      #expect(result.code == 0 || isRed, "\(line): \(result.output)")
      codes.insert(result.code)
      output = result.output + result.errors
    }

    /// Starts a server; one that was at the port before has ended by now.
    private mutating func serve(_ line: String, port: String) async throws {
      let words = line.split(separator: " ").dropFirst().map { $0 == port ? "0" : String($0) }
      let output = Pipe()
      servers.append(try conform.start(words, output: .pipe(output)))
      var lines = ServeTests.lines(of: output).makeAsyncIterator()
      let first = try #require(await lines.next(), "\(line)")
      let address = try #require(first.firstMatch(of: /127\.0\.0\.1:\d+/)).output
      addresses["127.0.0.1:\(port)"] = String(address)
      self.output = first.replacing(address, with: "127.0.0.1:\(port)")
    }

    func expect(_ lines: [Substring]) {
      for line in lines { #expect(output.contains(line), "\(output)") }
    }

    func stop() { for server in servers { server.signal(SIGTERM) } }
  }
}
