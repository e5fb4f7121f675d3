import ConformanceVerdict
import Foundation
import Testing

/// A machine that lacks what a run needs: no finding about anybody.
@Suite struct ShortageTests {
  /// How many files may be open, and how many cases are to run at once: as many do as there is room for.
  @Test(arguments: [(30, 1), (64, 32), (80, 32), (128, 64), (128, Int.max)])
  func tooFewFilesAreNobodysFault(files: Int, jobs: Int) async throws {
    let folder = try Scratch()
    let result = try await Command(in: folder).shell(
      "ulimit -n \(files); exec conform run --quiet --dialect spec --case 'offline.*' --case 'server.event.*' --jobs \(jobs)"
    )
    #expect(result.code == 0 || result.code == 3, "\(result.errors)\(result.output)")
    guard let record = try? RunRecord(readingFrom: folder.file("conform-report/run.jsonl")) else {
      // Not even the subjects could be met.
      #expect(result.code == 3)
      return #expect(result.errors.contains("ulimit -n"), "\(result.errors)")
    }
    #expect(!record.rulings.contains { $0.disposition == .fail })
    for ruling in record.rulings {
      guard case .unjudged(let reason) = ruling.verdict.outcome else { continue }
      #expect(reason.contains("ulimit -n"), "\(ruling.verdict)")
    }
  }
}
