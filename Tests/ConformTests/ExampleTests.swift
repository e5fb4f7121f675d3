import Foundation
import Testing

/// The example for authors in JavaScript, driven as its page says.
@Suite struct ExampleTests {
  private static let adapter = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/javascript/adapter.mjs").standardized.path

  private let conform: Command

  init() throws { conform = Command(in: try Scratch()) }

  private func run(_ variables: String, _ options: String...) async throws -> Command.Result {
    try await conform.run(
      ["run", "--quiet", "--sdk", "\(variables) node '\(Self.adapter)'", "--dialect", "spec"] + options)
  }

  @Test(arguments: [("queue.holds-99", "LF-OFF-006"), ("user.in-events", "LF-UID-008")])
  func aDefectOfItsListTurnsItsRuleRed(defect: String, requirement: String) async throws {
    let result = try await run("CONFORM_DEFECT=\(defect)", "--requirement", requirement)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains(requirement))
  }

  @Test func itsListFitsTheCatalogue() async throws {
    let list = Self.adapter.replacing("adapter.mjs", with: "defects.yaml")
    let result = try await conform(
      "prove", "--sdk", "node '\(Self.adapter)'", "--defects", list, "--defect", "no.such-defect")
    #expect(result.code == 2)
    #expect(result.errors.contains("unknown defect 'no.such-defect'"), "\(result.errors)")
  }

  @Test func itsAppReceivesAndCreatesLinks() async throws {
    let app = Self.adapter.replacing("adapter.mjs", with: "example/app.mjs")
    let result = try await conform.shell(
      """
      conform serve --dialect spec >greeting 2>errors &
      until grep -q '^  dialect' greeting; do sleep 0.02; done
      url=$(grep -o 'http://127.0.0.1:[0-9]*' greeting | head -n 1)
      node '\(app)' "$url" "$(sed -n 's/^  apiKey *//p' greeting)"
      code=$?
      kill $!
      exit $code
      """)
    #expect(result.code == 0, "\(result.errors)")
    for line in ["deferred deep link: null", "install: ", "created: http://127.0.0.1:", "direct deep link: {"] {
      #expect(result.output.contains("\(line)"), "\(result.output)")
    }
  }

  /// The output exists already, so the command ends before it runs the suite.
  @Test func itsFolderMeetsTheSubmissionRequirements() async throws {
    let folder = Self.adapter.replacing("/adapter.mjs", with: "")
    let result = try await conform.shell(
      "touch out.tar && conform certify --tier community --sdk false --repo '\(folder)' --unsigned --output out.tar")
    #expect(result.code == 2 && result.errors.contains("'out.tar' exists"), "\(result.output)\(result.errors)")
    for id in ["package", "example", "ci", "quickstart"] {
      #expect(
        result.output.contains("\nfound: \(id): ") || result.output.hasPrefix("found: \(id): "), "\(result.output)")
    }
  }

  private static let provisioning = adapter.replacing(
    "javascript/adapter.mjs", with: "javascript-server/provisioning.yaml")

  @Test func everyChangeToWhatTheServerAnswersIsNoticedOrLegal() async throws {
    let reasons = Self.provisioning.replacing("provisioning.yaml", with: "mutants.yaml")
    let result = try await conform(
      "prove", "--server-file", Self.provisioning, "--only", "mutants", "--mutants", reasons)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("kinds of transcript mutations detected"), "\(result.output)")
  }

  @Test(arguments: [("", 0, "conformant"), ("lookup.code-misnamed", 1, "LFS-RES-001")])
  func theServerIsStartedByItsFileAndJudged(defect: String, code: Int32, says: String) async throws {
    let result = try await conform.run(
      ["run", "--quiet", "--server-file", Self.provisioning, "--case", "server.resolve.*"],
      environment: defect.isEmpty ? [:] : ["CONFORM_DEFECT": defect])
    #expect(result.code == code, "\(result.output)\(result.errors)")
    #expect(result.output.contains(says))
  }
}
