import ConformanceVerdict
import Foundation
import Testing

/// Work on failures: the cases of the last run that failed, and a run that stops early.
@Suite struct LastFailedTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private static let suite = ["run", "--role", "sdk", "--dialect", "spec", "--case", "link.*", "--quiet"]
  /// The dialect is that of the cases that failed.
  private static let again = ["run", "--role", "sdk", "--last-failed", "--quiet"]

  private func cases() throws -> Set<String> {
    Set(try RunRecord(readingFrom: folder.file("conform-report/run.jsonl")).cases.map(\.instance.name))
  }

  @Test func whatFailedRunsAgainUntilNothingFails() async throws {
    #expect(try await conform.run(Self.suite + ["--defect", "link.cached"]).code == 1)
    let all = try cases()
    let again = try await conform.run(Self.again + ["--defect", "link.cached"])
    #expect(again.code == 1, "\(again.errors)")
    let failing = try cases()
    #expect(!failing.isEmpty && failing.isSubset(of: all) && failing.count < all.count)

    let mended = try await conform.run(Self.again)
    #expect([0, 3].contains(mended.code), "\(mended.output)\(mended.errors)")
    #expect(try cases() == failing)
    let done = try await conform.run(Self.again)
    #expect(done.code == 2 || mended.code == 3)
    #expect(done.errors.contains("nothing failed or stayed unjudged") || mended.code == 3)
  }

  @Test(
    arguments: [
      (["run", "--last-failed"], "there is no record 'conform-report/run.jsonl' of an earlier run"),
      (["run", "--last-failed", "--case", "link.*"], "--last-failed selects the cases"),
      (["run", "--fail-fast", "0"], "--fail-fast expects a number of cases from 1, found 0"),
      (["run", "--fail-fast", "some"], "Unexpected argument 'some'"),
    ])
  func whatCannotBeSelectedIsReported(words: [String], error: String) async throws {
    let result = try await conform.run(words)
    #expect(result.code == 2 && result.errors.contains(error), "\(result.errors)")
    #expect(try folder.names().isEmpty)
  }

  @Test func aRunStopsAfterTheFirstFailingCase() async throws {
    let result = try await conform.run(
      Self.suite + ["--defect", "link.cached", "--fail-fast", "--jobs", "1"])
    #expect(result.code == 1, "\(result.errors)")
    #expect(result.output.contains("the run was stopped after 1 failing case (--fail-fast)"), "\(result.output)")
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.end?.wasInterrupted == true)
    #expect(record.cases.count < record.header.planned)
    let failing = Set(record.rulings.filter { $0.disposition == .fail }.map(\.verdict.instance))
    // The case that has begun when the first one fails may end, and fail as well.
    #expect((1...2).contains(failing.count))
  }
}
