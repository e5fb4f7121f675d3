import ConformanceVerdict
import JSONKit
import Testing

/// The backend that the kit carries is started by its binding file, as anybody's is.
@Suite struct ReferenceBackendTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  @Test func aRunWithoutSubjectsPlaysEveryRole() async throws {
    let result = try await conform(
      "run", "--protocol", "sentiance", "--case", "options.code", "--case", "server.link.new", "--case",
      "backend.config",
      "--case", "chain.code", "--quiet")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.isEmpty)
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.header.roles == ["sdk", "server", "backend", "chain"])
    #expect(Set(record.cases.map(\.role)) == ["sdk", "server", "backend", "chain"])
  }

  @Test func whatItIsStartedWithIsInNoEvidence() async throws {
    let result = try await conform(
      "run", "--protocol", "sentiance", "--role", "backend", "--case", "backend.config", "--case", "backend.link.held",
      "--quiet")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let evidence = try folder.names(in: "conform-report/evidence")
    #expect(evidence.count == 2)
    for name in evidence {
      let text = try folder.text("conform-report/evidence/\(name)")
      #expect(!text.contains("app-secret-6b1e5f20c9") && !text.contains("link-key-3c8f0b7d51"))
      #expect(text.contains("[redacted:"))
    }
  }

  /// The references are the links of the chain, and one of them is made wrong.
  @Test func theChainIsProven() async throws {
    let result = try await conform(
      "prove", "--protocol", "sentiance", "--defect", "chain.refusal-is-success,chain.code-made-up", "--format", "json")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let figures = try #require(try JSON(parsing: result.output)["figures"]?.array)
    #expect(figures.first?["chain"] == 2)
    #expect(figures.first { $0["figure"] == "K*" }?["text"] == "2/2 = 100.0 %")
  }
}
