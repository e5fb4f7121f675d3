import ConformanceModel
import ConformanceVerdict
import Testing

/// Which part of its protocol a run was about, in words.
@Suite struct RunRecordHeaderPartTests {
  struct Row: Sendable {
    var selection: [String] = []
    var roles: [Role] = ["sdk"]
    var dialects: [Dialect] = []
    var extent: RunRecord.Header.Extent? = .init(roles: 2, dialects: 4, features: 13)
    var part: String?
  }

  @Test(arguments: [
    Row(), Row(dialects: ["spec"], extent: nil), Row(dialects: ["a", "b", "c", "d"]),
    Row(dialects: ["spec"], part: "`spec`, one of four dialects"),
    Row(dialects: ["spec", "cloud"], part: "`spec` and `cloud`, two of four dialects"),
    Row(dialects: ["a", "b", "c"], part: "`a`, `b` and `c`, three of four dialects"),
    Row(selection: ["--role", "sdk"], part: "`sdk`, one of two roles"),
    Row(selection: ["--feature", "13", "--feature", "2"], part: "`13` and `2`, two of 13 features"),
    Row(
      selection: ["--role", "sdk"], dialects: ["spec"],
      part: "`sdk`, one of two roles, and in `spec`, one of four dialects"),
    Row(selection: ["--case", "a.b"], part: "`a.b`"),
    Row(selection: ["--case", "a", "--case", "b", "--case", "c"], part: "three chosen cases"),
    Row(
      selection: ["--case", "a", "--requirement", "PA-A-001"], dialects: ["spec"],
      part: "`spec`, one of four dialects, and in `a`, and in `PA-A-001`"),
  ])
  func aSelectionIsNamedWithWhatItIsAPartOf(_ row: Row) {
    let header = RunRecord.Header(
      kit: "k", protocolName: "p", specRevision: "1", startedAt: "2026-11-21T00:00:00Z", gate: .stated, seed: 1,
      selection: row.selection, roles: row.roles, dialects: row.dialects, jobs: 1, planned: 1, extent: row.extent,
      rerun: "conform run")
    #expect(header.part == row.part)
  }
}
