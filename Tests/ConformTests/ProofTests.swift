import Testing

/// The kit's proof of itself, and what its own positions are worth to others.
@Suite struct ProofTests {
  private let conform: Command

  init() throws { conform = Command(in: try Scratch()) }

  @Test func aDefectThatItsClaimNoticesProvesTheKit() async throws {
    let result = try await conform("prove", "--defect", "queue.holds-99")
    #expect(result.code == 0)
    #expect(result.output.contains("killed    queue.holds-99  breaks LF-OFF-006"))
    #expect(result.output.contains("K*         1/1 = 100.0 % of all defects"))
    #expect(!result.output.contains("idle subjects"))
    #expect(result.output.hasSuffix("the proof holds\n"))
  }

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
}
