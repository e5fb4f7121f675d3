import Foundation
import Testing

/// The smallest protocol with all four roles: its size in lines, and the proof of its suite.
@Suite struct ToyTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/toy").standardized.path

  private static let adapter = "--sdk 'python3 cloakroom_adapter.py'"
  private static let backend = "--backend hotel.yaml"

  private let scratch: Scratch
  private let conform: Command

  /// The commands run in a copy, since reports are written beside the pack.
  init() throws {
    scratch = try Scratch()
    conform = Command(in: scratch)
    try FileManager.default.createDirectory(atPath: scratch.file("Examples"), withIntermediateDirectories: false)
    for name in ["toy", "python"] {
      try FileManager.default.copyItem(
        atPath: "\(Self.folder)/../\(name)", toPath: scratch.file("Examples/\(name)"))
    }
  }

  private func toy(_ words: String) async throws -> Command.Result {
    try await conform.shell("cd Examples/toy && conform " + words)
  }

  @Test(arguments: [
    ("", "server", 2), (adapter, "sdk", 1), (backend, "backend", 1), ("\(adapter) \(backend)", "chain", 1),
  ])
  func aSubjectOfEachRoleConforms(subjects: String, role: String, passed: Int) async throws {
    let result = try await toy("run --pack cloakroom \(subjects)")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("conformant: \(passed) passed"), "\(result.output)")
    #expect(try scratch.text("Examples/toy/conform-report/run.jsonl").contains("\"roles\":[\"\(role)\"]"))
  }

  @Test(arguments: [("", 5), (adapter, 3), (backend, 2), ("\(adapter) \(backend)", 2)])
  func theSuiteIsProven(subject: String, bends: Int) async throws {
    let result = try await toy("prove --pack cloakroom --only defects,idle \(subject)")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("K*         \(bends)/\(bends) = 100.0 % of all defects"), "\(result.output)")
    #expect(result.output.contains("\nV          0 mandatory verdicts passed"), "\(result.output)")
  }

  /// The transcripts of a third-party SDK are mutated and judged like those of the references. An unused reason of its
  /// own is reported.
  @Test(arguments: [
    ("{ mutant: '* fetch *', reason: Free. }, { mutant: '* swap *', reason: Free. }", 0, "the proof holds"),
    ("{ mutant: 'request swap *', reason: All requests are free. }", 1, "UNNOTICED  reply fetch error.status altered"),
    (
      "{ mutant: '* * *', reason: All is free. }, { mutant: reply leave lost, reason: It is not. }", 1,
      "STALE      reply leave lost  has a reason to survive, and no such mutant does"
    ),
    ("{ mutant: '* * *' }", 2, "own.yaml:2:14: error: $.equivalent[0].reason: expected a text, found nothing"),
  ])
  func whatTheGivenSDKDidIsChangedToo(reasons: String, code: Int32, says: String) async throws {
    try scratch.write("Examples/toy/own.yaml", "kit: 2\nequivalent: [\(reasons)]\n")
    let result = try await toy("prove --pack cloakroom --only mutants \(Self.adapter) --mutants own.yaml")
    #expect(result.code == code, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains(says), "\(result.output)\(result.errors)")
  }

  @Test func reasonsAreAboutASubjectThatIsGiven() async throws {
    let result = try await toy("prove --pack cloakroom --only mutants --mutants own.yaml")
    #expect(result.code == 2)
    #expect(result.errors.contains("--mutants needs a subject"), "\(result.errors)")
  }

  /// A case that a no-op implementation passes is detected: here one expects an answer, and nothing that follows from
  /// it.
  @Test(arguments: [
    (
      "hotel.coat", backend, "the hotel",
      ["constant backend", "echo backend", "lying backend"]
    ),
    (
      "chain.coat", "\(adapter) \(backend)", "the chain",
      ["null sdk of the chain", "canned sdk of the chain", "echo backend of the chain", "lying backend of the chain"]
    ),
  ])
  func aCaseThatProvesNothingIsSeen(name: String, subjects: String, place: String, idle: [String]) async throws {
    let file = "Examples/toy/cloakroom/cases/all.yaml"
    let text = try scratch.text(file)
    let requirement = place == "the hotel" ? "CR-002" : "CR-004"
    let vacuous = """
        - case: \(name).vacuous
          title: Nobody deletes
          role: \(place == "the hotel" ? "backend" : "chain")
          steps: [{ send: leave, with: { coat: "${unique}" }, as: left }]
          witness: [{ returns: { left: { status: 200 } } }]
          claims: [{ requirement: \(requirement), never: { request: any, where: { method: DELETE } } }]

      """
    try scratch.write(file, text + vacuous)
    let result = try await toy("prove --pack cloakroom --only idle \(subjects)")
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    for subject in idle {
      #expect(
        result.output.contains("VACUOUS  \(subject): \(requirement) \(name).vacuous@any: conforms"), "\(result.output)")
    }
  }

  /// The server is data, and answers in every form that is legal for any server.
  @Test func legalFormsOfAnswersFailNothing() async throws {
    let result = try await toy("prove --pack cloakroom --only variants")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("F          0 verdicts failed by 10 legal variants\n"), "\(result.output)")
    let known = try await toy("list variants --pack cloakroom")
    #expect(known.output.split(separator: "\n").count == 10, "\(known.output)")
  }

  /// A case that depends on a form is detected: here one expects a length of the answer.
  @Test func aCaseThatFailsALegalFormIsSeen() async throws {
    let file = "Examples/toy/cloakroom/cases/all.yaml"
    let text = try scratch.text(file)
    let right = "again: { status: 404 } } }"
    try #require(text.contains(right))
    try scratch.write(
      file, text.replacing(right, with: "again: { status: 404, headers: { content-length: \"2\" } } } }"))
    let result = try await toy("prove --pack cloakroom --only variants")
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("FALSE ALARM  answer.chunked: CR-001 counter.coat@any"), "\(result.output)")
  }

  /// An error in a link itself is detected, too: here the app fetches with another number than the one from the hotel.
  @Test func theChainBreaksWithTheWrongNumber() async throws {
    let text = try scratch.text("Examples/toy/cloakroom_adapter.py")
    try #require(text.contains("params[\"number\"]"))
    try scratch.write(
      "Examples/toy/cloakroom_adapter.py", text.replacing("params[\"number\"]", with: "\"another\""))
    let result = try await toy("run --pack cloakroom \(Self.adapter) \(Self.backend)")
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("FAIL  CR-004"))
  }

  @Test func itsDataIsCleanAndCanonical() async throws {
    for words in ["lint --pack cloakroom", "fmt --check --pack cloakroom"] {
      let result = try await toy(words)
      #expect(result.code == 0 && result.output.isEmpty, "\(result.output)\(result.errors)")
    }
  }

  /// The protocol has 122 lines of data, two of them about certificates, and 40 lines of adapter, for three
  /// requirements in four roles and twelve mutations. No line is long.
  @Test func itIsSmall() throws {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder + "/cloakroom")
    let data = try lines(of: files.map { "cloakroom/\($0)" })
    let adapter = try lines(of: ["cloakroom_adapter.py", "hotel.yaml"])
    #expect(data.count <= 122, "\(data.count)")
    #expect(adapter.count <= 40, "\(adapter.count)")
    #expect((data + adapter).allSatisfy { $0.count <= 120 })
    #expect(data.count { $0.contains("bend: {") } >= 12)
    #expect(Set(data.flatMap { $0.matches(of: /section: "([^"]+)"/).map(\.output.1) }).count == 3)
  }

  private func lines(of files: [String]) throws -> [Substring] {
    try files.filter { $0.contains(".") }.flatMap { file in
      try String(contentsOfFile: "\(Self.folder)/\(file)", encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast()
    }
  }
}
