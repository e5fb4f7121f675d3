import ConformanceSpec
import Foundation
import JSONKit
import Testing

/// The output for somebody who does not know the command.
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

  /// The digest is that in a record of the same protocol.
  @Test(arguments: ["linkforty", "mobile-engage", "sentiance"])
  func theVersionTellsKitAndPacks(name: String) async throws {
    let result = try await conform("--version")
    #expect(result.code == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /conform \d+\.\d+\.\d+/) != nil)
    let told = try #require(lines.first { $0.hasPrefix("\(name) sha256:") }, "\(result.output)")
    let digest = try #require(told.wholeMatch(of: /\S+ sha256:([0-9a-f]{64}) \(built in\)/)).1
    #expect(lines.count == 4)
    let catalogue = try await CatalogueLoader.load(
      root: Command.buildFolder + "/conform_ConformanceData.resources", protocol: name)
    #expect(catalogue.digest == digest)
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

  /// The parts of a provisioning file, and the requests on the wire, can be listed without reading the data.
  @Test(arguments: [
    (["capabilities", "--role", "server"], "push-registry\toptional\tcommands pushTokenOf\t"),
    (["capabilities", "--role", "server"], "open-id\toptional\tvalues openIdToken\t"),
    (["exchanges"], "clear-push-token\tclient\tDELETE /v3/apps/${applicationCode}/client/push-token\t"),
    (["positions", "--role", "server"], "POS-39\tME-SRV-063\t"),
  ])
  func aListSaysWhatThingsAreMadeOf(words: [String], line: String) async throws {
    let list = try await conform.run(["list"] + words + ["--protocol", "mobile-engage"]).output
    #expect(list.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(list)")
  }

  @Test func aListIsATableOrJSONWhenAsked() async throws {
    let plain = try await conform("list", "capabilities").output.split(separator: "\n")
    let table = try await conform("list", "capabilities", "--format", "table").output.split(separator: "\n")
    #expect(table.first?.hasPrefix("name  ") == true && table.count == plain.count + 1)
    let json = try JSON(parsing: Array(try await conform("list", "capabilities", "--format", "json").output.utf8))
    #expect(json.array?.count == plain.count)
    #expect(json.array?.first?["name"]?.string.map { plain[0].hasPrefix($0 + "\t") } == true)
  }

  /// An option without an effect is an error, and not ignored.
  @Test(arguments: [
    (["capabilities", "--feature", "13"], "'list capabilities' takes --role, found --feature"),
    (["features", "--role", "sdk"], "'list features' is always shown whole, found --role"),
    (["requirements", "--case", "x"], "takes --role, --requirement, --feature, --profile, found --case"),
  ])
  func aListSaysWhatItDoesNotTake(words: [String], says: String) async throws {
    let result = try await conform.run(["list"] + words)
    #expect(result.code == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  /// An option for several names takes them with commas as well as repeated. A comma in a row's name does not separate.
  @Test(arguments: [
    (["requirements"], "--requirement", ["LFS-HLT-001", "LF-OFF-006"]), (["requirements"], "--feature", ["12", "13"]),
    (["cases", "--role", "server"], "--dialect", ["spec", "cloud"]),
    (
      ["cases"], "--case",
      ["offline.capacity[101]", "server.attribution.score-short[address, time zone and language]"]
    ),
  ])
  func severalNamesMayStandTogether(subject: [String], option: String, names: [String]) async throws {
    let together = try await conform.run(["list"] + subject + [option, names.joined(separator: ",")])
    let repeated = try await conform.run(["list"] + subject + names.flatMap { [option, $0] })
    #expect(together.code == 0, "\(together.errors)")
    #expect(!together.output.isEmpty && together.output == repeated.output)
    let misspelt = try await conform.run(["list"] + subject + [option, names[0] + ",nothing-of-the-kind"])
    #expect(misspelt.code == 2 || misspelt.code == 64, "\(misspelt)")
    #expect(misspelt.errors.contains("nothing-of-the-kind"))
  }

  @Test func aProofTakesSeveralParts() async throws {
    let help = try await conform("prove", "--help").output
    let parts = try #require(help.firstMatch(of: /--only <part> .*?\(values: (.+?)[\);]/.dotMatchesNewlines())).1
    #expect(parts.contains("defects") && parts.contains("mutants"))
    let wrong = try await conform("prove", "--only", "defects,dreams")
    #expect(wrong.code == 2 || wrong.code == 64)
    #expect(wrong.errors.contains("defects,dreams"))
  }
}
