import ConformanceVerdict
import Foundation
import Testing

/// Whether the adapter drives the SDK: a run of the adapter around an SDK that is broken on purpose.
@Suite struct DriveCheckTests {
  private static let adapter = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/javascript/adapter.mjs").standardized.path

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private func run(_ broken: [String]) async throws -> Command.Result {
    try await conform.run(
      [
        "run", "--quiet", "--sdk", "node '\(Self.adapter)'", "--dialect", "spec", "--case", "init.rejected",
        "--html", "page.html",
      ] + broken)
  }

  private func driving() throws -> RunRecord.Driving? {
    try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).subjects.first?.driving
  }

  /// The record, the JUnit file and the page have the result.
  private func expectEverywhere(_ text: String) throws {
    #expect(try folder.text("conform-report/junit.xml").contains("<property name=\"adapter\" value=\"\(text)\"/>"))
    #expect(try folder.text("page.html").contains(text))
  }

  @Test func withoutTheOptionNothingIsShown() async throws {
    let result = try await run([])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(try driving() == .notShown)
    try expectEverywhere("not shown to drive the SDK")
  }

  @Test func nothingHoldsWithABrokenSDK() async throws {
    let result = try await run(["--sdk-broken", "node '\(Self.adapter)' --broken"])
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(try driving() == .drives(cases: 4))
    try expectEverywhere("drives the SDK (4 cases with a broken one)")
  }

  /// An adapter for which it makes no difference whether the SDK works.
  @Test func anAdapterThatDoesTheWorkIsFound() async throws {
    let result = try await run(["--sdk-broken", "node '\(Self.adapter)'"])
    #expect(result.code == 3, "\(result.output)\(result.errors)")
    #expect(try driving() == .answersWithout(["LF-INIT-002", "LF-INIT-003"], cases: 4))
    #expect(result.output.contains("INCOMPLETE: sdk broke the adapter protocol outside of any case: it answers\n"))
    try expectEverywhere("answers without the SDK: 2 requirements held with a broken one")
  }

  @Test func anotherAdapterIsRefused() async throws {
    let result = try await run(["--sdk-broken", try PythonAdapter.write(to: folder)])
    #expect(result.code == 2)
    #expect(
      result.errors.contains("the adapter of --sdk-broken introduces itself as py 0.1.0 with 1 capability"),
      "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("conform-report/run.jsonl")))
  }

  /// An adapter that ends at once fails every case, and shows nothing about the SDK.
  @Test func anAdapterThatAnswersNothingIsRefused() async throws {
    try folder.write(
      "silent.mjs",
      """
      import '\(Self.adapter)';
      process.stdin.on('data', (data) => { if (`${data}`.includes('"initialize"')) process.exit(1); });
      """)
    let result = try await run(["--sdk-broken", "node silent.mjs"])
    #expect(result.code == 2, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("the adapter of --sdk-broken answered no command in 4 cases"), "\(result.errors)")
  }

  @Test func withoutAnSDKItIsRefused() async throws {
    let result = try await conform("run", "--sdk-broken", "x")
    #expect(result.code == 2)
    #expect(result.errors.contains("--sdk-broken is the adapter of --sdk around a broken SDK"), "\(result.errors)")
  }
}
