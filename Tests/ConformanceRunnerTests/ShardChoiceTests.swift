import Testing

@testable import ConformanceRunner

/// The engine that starts a process says which part it is, each in its own variables.
@Suite struct ShardChoiceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var environment: [String: String]
    var shards: Int?
    var number: Int?
    var count: Int?
    var says: String?

    var testDescription: String { environment.map { "\($0)=\($1)" }.sorted().joined(separator: " ") }
  }

  @Test(arguments: [
    Row(environment: [:]),
    Row(environment: ["TEST_TOTAL_SHARDS": "4", "TEST_SHARD_INDEX": "0"], number: 1, count: 4),
    Row(environment: ["CI_NODE_TOTAL": "4", "CI_NODE_INDEX": "4"], number: 4, count: 4),
    Row(environment: ["CI_NODE_TOTAL": "1"]),
    Row(environment: ["CIRCLE_NODE_TOTAL": "2", "CIRCLE_NODE_INDEX": "1"], number: 2, count: 2),
    Row(environment: ["CIRCLE_NODE_TOTAL": "1", "CIRCLE_NODE_INDEX": "0"]),
    Row(
      environment: ["BUILDKITE_PARALLEL_JOB": "2", "BUILDKITE_PARALLEL_JOB_COUNT": "3"], number: 3, count: 3),
    Row(
      environment: ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"], number: 1,
      count: 4),
    Row(
      environment: [
        "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1",
        "SLURM_ARRAY_TASK_STEP": "4",
      ], number: 3, count: 3),
    Row(environment: ["JOB_COMPLETION_INDEX": "0"]),
    Row(environment: ["JOB_COMPLETION_INDEX": "2"], shards: 3, number: 3, count: 3),
    Row(
      environment: [
        "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "1", "CI_NODE_TOTAL": "2", "CI_NODE_INDEX": "2",
      ], number: 2, count: 2),
    Row(
      environment: [
        "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "1", "CI_NODE_TOTAL": "3", "CI_NODE_INDEX": "2",
      ], says: "Bazel and GitLab name different shards"),
    Row(environment: ["CI_NODE_TOTAL": "x"], says: "CI_NODE_TOTAL is 'x', which is not a number"),
    Row(environment: ["CI_NODE_TOTAL": "0"], says: "CI_NODE_TOTAL is 0, expected at least 1"),
    Row(
      environment: ["TEST_TOTAL_SHARDS": "4"], says: "TEST_TOTAL_SHARDS is 4, but TEST_SHARD_INDEX is not set (Bazel)"),
    Row(
      environment: ["TEST_TOTAL_SHARDS": "4", "TEST_SHARD_INDEX": "4"],
      says: "TEST_SHARD_INDEX is 4, but 4 shards have 0 to 3"),
    Row(environment: [:], shards: 3, says: "JOB_COMPLETION_INDEX is not set"),
    Row(environment: ["JOB_COMPLETION_INDEX": "3"], shards: 3, says: "--shards 3 allows 0 to 2"),
    Row(environment: ["JOB_COMPLETION_INDEX": "a"], shards: 3, says: "JOB_COMPLETION_INDEX is 'a'"),
  ])
  func anEngineNamesThePart(_ row: Row) throws {
    if let says = row.says {
      let error = #expect(throws: SelectionError.self) {
        try ShardChoice(environment: row.environment, shards: row.shards)
      }
      #expect(error?.text.contains(says) ?? false, "\(error?.text ?? "")")
    } else {
      let choice = try ShardChoice(environment: row.environment, shards: row.shards)
      #expect(choice?.number == row.number)
      #expect(choice?.count == row.count)
      #expect(choice?.variables.isEmpty != true)
    }
  }

  @Test(arguments: ["1/1", "2/4", "32/32"]) func anOptionNamesThePart(text: String) throws {
    let choice = try ShardChoice(option: text)
    #expect("\(choice.number)/\(choice.count)" == text)
  }

  @Test(arguments: ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/2/3", "a/b", "1/"])
  func refusesAnOptionThatNamesNoPart(text: String) {
    #expect(throws: SelectionError.self) { try ShardChoice(option: text) }
  }
}
