import Foundation
import JSONKit
import Testing

/// What somebody who does not know the command sees.
@Suite struct UsageTests {
  private let conform: Command

  init() throws { conform = Command(in: try Scratch()) }

  @Test(arguments: [[], ["--help"], ["help", "run"], ["run", "--help"], ["prove", "-h"], ["judge", "--help"]])
  func helpGoesToStdout(arguments: [String]) async throws {
    let result = try await conform.run(arguments)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains("USAGE: conform"))
    #expect(try conform.folder.names().isEmpty)
  }

  @Test func theHelpTellsTheExitCodes() async throws {
    #expect(try await conform("--help").output.contains("Exit codes: 0 conformant, 1 violations, 2 bad input"))
  }

  @Test func theVersionIsOneLine() async throws {
    let result = try await conform("--version")
    #expect(result.code == 0)
    #expect(result.output.wholeMatch(of: /conform \d+\.\d+\.\d+\n/) != nil)
  }

  @Test(arguments: ["cases", "requirements", "features", "checks", "dialects", "protocols"])
  func aListHasALineEach(subject: String) async throws {
    let result = try await conform("list", subject)
    #expect(result.code == 0)
    #expect(!result.output.isEmpty && result.output.hasSuffix("\n"))
    #expect(!result.output.contains("\n\n"))
  }

  @Test(arguments: ["linkforty", "mobile-engage", "sentiance"])
  func theReadmeSaysWhatCoverageSays(of name: String) async throws {
    let last = try await conform("coverage", "--protocol", name).output.split(separator: "\n").last ?? ""
    let figures = try #require(last.firstMatch(of: /(\d+) requirements: (\d+ covered by \d+ cases, \d+ untestable)/))
    let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("\(figures.1): \(figures.2)"))
  }

  @Test func theReferenceAdapterSaysWhereCommandsComeFrom() async throws {
    try conform.folder.write("commands", "")
    for stdin in ["commands", "/dev/null"] {
      let result = try await conform.shell("linkforty-adapter < \(stdin)")
      #expect(result.code == 64)
      #expect(result.output.isEmpty)
      #expect(result.errors == "commands come from a pipe, a socket or a terminal, and stdin is none of them\n")
    }
    #expect(
      try await conform.shell("echo | linkforty-adapter").output.contains("not a request of the adapter protocol"))
  }

  @Test func aListKeepsToTheSelection() async throws {
    let all = try await conform("list", "requirements").output
    let servers = try await conform("list", "requirements", "--role", "server").output
    let one = try await conform("list", "requirements", "--requirement", "LFS-HLT-001").output
    #expect(servers.split(separator: "\n").count < all.split(separator: "\n").count)
    #expect(one.split(separator: "\n").count == 1)
  }
}
