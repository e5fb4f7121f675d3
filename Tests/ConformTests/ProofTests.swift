import Foundation
import Testing

/// The kit's proof of itself, and the effect of its own positions.
@Suite struct ProofTests {
  private let conform: Command

  init() throws { conform = Command(in: try Scratch()) }

  @Test func aDefectThatItsClaimNoticesProvesTheKit() async throws {
    let result = try await conform("prove", "--defect", "queue.holds-99")
    #expect(result.code == 0)
    #expect(result.output.contains("killed    queue.holds-99  breaks LF-OFF-006"))
    #expect(result.output.contains("K*         1/1 = 100.0 % of all defects"))
    #expect(!result.output.contains("no-op implementations"))
    #expect(result.output.hasSuffix("the proof holds\n"))
  }

  @Test func everyCaseSaysWhatADefectBreaks() async throws {
    try await begin(bend: "remove: $.body.id")
    let result = try await conform("prove", "--pack", "notes", "--only", "blame")
    #expect(result.output.contains("B          1/1 = 100.0 % of the requirements"), "\(result.output)\(result.errors)")
    #expect(result.code == 0)
  }

  @Test func aStrangersSDKIsProvenWithItsOwnDefects() async throws {
    for name in ["toy", "python"] {
      try FileManager.default.createDirectory(
        atPath: conform.folder.file("Examples"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "\(ToyCertifier.examples)/\(name)", toPath: conform.folder.file("Examples/\(name)"))
    }
    try conform.folder.write(
      "defects.yaml",
      """
      kit: 2
      defects:
        - { id: coat.of-another, side: sdk, breaks: CR-003, text: The app gets the coat of another guest. }
      """)
    try conform.folder.write(
      "sdk.py",
      """
      import os, runpy, sys
      sys.path += ["Examples/toy", "Examples/python"]
      from cloakroom_sdk import Cloakroom
      fetch = Cloakroom.fetch
      async def wrong(self, url, number):
          await fetch(self, url, number)
          return "the coat of another guest"
      if os.environ.get("CONFORM_DEFECT") == "coat.of-another": Cloakroom.fetch = wrong
      runpy.run_path("Examples/toy/cloakroom_adapter.py", run_name="__main__")
      """)
    let result = try await conform(
      "prove", "--pack", ToyCertifier.pack, "--sdk", "python3 sdk.py", "--defects", "defects.yaml", "--only",
      "defects,blame")
    #expect(result.output.contains("K*         1/1 = 100.0 % of all defects"), "\(result.output)\(result.errors)")
    #expect(result.output.contains("B          1/1 = 100.0 % of the requirements"), "\(result.output)")
  }

  /// The first protocol of `init` with a defect, and with a server that may be wrong itself.
  private func begin(bend: String, status: Int = 201) async throws {
    try #require(try await conform("init", "protocol", "notes").code == 0)
    let server = try conform.folder.text("notes/server.yaml")
    try conform.folder.write("notes/server.yaml", server + "    status: \(status)\n")
    try FileManager.default.createDirectory(
      atPath: conform.folder.file("notes/defects"), withIntermediateDirectories: false)
    try conform.folder.write(
      "notes/defects/all.yaml",
      """
      kit: 2
      defects:
        - id: id.gone
          side: server
          breaks: NOTES-SRV-001
          text: No id comes back.
          bend: { answer: add-item, \(bend) }

      """)
  }

  /// A proof without a result is bad input. The message names the problem and its place.
  @Test(arguments: [
    ("remove: $.body.nothing", 201, [], "notes/defects/all.yaml:3: its mutation changed nothing"),
    ("remove: $.body.id", 500, [], "expected a status from 200 to 299, observed 500"),
    ("remove: $.body.id", 500, ["--defect", "id.gone"], "stopped    no defect was tried"),
  ])
  func whatProvesNothingIsBadInput(bend: String, status: Int, words: [String], says: String) async throws {
    try await begin(bend: bend, status: status)
    let result = try await conform.run(["prove", "--pack", "notes", "--only", "defects"] + words)
    #expect(result.code == 2, "\(result.output)\(result.errors)")
    #expect(result.output.contains(says), "\(result.output)")
  }

  @Test(arguments: [
    ("text", "K*         1/1 = 100.0 % of all defects\n"), ("markdown", "| K\\* | 1/1 = 100.0 % | of all defects |\n"),
    ("json", "\"figure\": \"K*\",\n      \"hits\": 1,\n      \"all\": 1,"),
  ])
  func theFiguresAreWrittenForWhoeverReadsThem(format: String, says: String) async throws {
    try await begin(bend: "remove: $.body.id")
    let result = try await conform("prove", "--pack", "notes", "--only", "defects", "--format", format)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(says), "\(result.output)")
  }

  @Test(arguments: [
    ("breaks: LF-OFF-006", "breaks: LF-OFF-666", "defects.yaml:3:38: error: $.defects[0].breaks"),
    ("side: sdk", "side: sdk, sided: 1", "defects.yaml:3:"),
    ("id: queue.holds-99", "id: q q", "defects.yaml:3:7: error: $.defects[0].id"),
  ])
  func aBadFileOfDefectsIsToldWithItsPlace(right: String, wrong: String, place: String) async throws {
    let line = "  - { id: queue.holds-99, side: sdk, breaks: LF-OFF-006, text: The queue holds 99 events. }\n"
    try conform.folder.write("defects.yaml", "kit: 2\ndefects:\n" + line.replacing(right, with: wrong))
    let result = try await conform("prove", "--sdk", "true", "--defects", "defects.yaml")
    #expect(result.code == 2)
    #expect(result.errors.contains(place), "\(result.errors)")
  }

  /// Without the position, the violation is only advisory, and nothing else is selected.
  @Test(arguments: [([], 1, "FAIL"), (["--without-position", "P-36"], 0, "advisory")] as [([String], Int32, String)])
  func aPositionThatIsSwitchedOffFailsNobody(options: [String], code: Int32, word: String) async throws {
    let run = [
      "run", "--case", "data.corrupt", "--dialect", "spec", "--requirement", "LF-DAT-010", "--gate", "positions",
      "--defect", "install-data.corrupt-fatal",
    ]
    let result = try await conform.run(run + options)
    #expect(result.code == code)
    #expect(result.output.contains("\(word)  LF-DAT-010"))
  }

  @Test func aServerAndABackendAreNoChain() async throws {
    let result = try await conform("prove", "--server-file", "a.yaml", "--backend", "b.yaml")
    #expect(result.code == 2)
    #expect(result.errors.contains("give only one of --server-file and --backend"), "\(result.errors)")
  }

  @Test func theDefectsAreCountedByTheRolesThatHaveThem() async throws {
    try await begin(bend: "remove: $.body.id")
    let result = try await conform("prove", "--pack", "notes", "--only", "defects")
    #expect(result.output.contains("tried      1 server defects, by the roles that have them\n"), "\(result.output)")
  }
}
