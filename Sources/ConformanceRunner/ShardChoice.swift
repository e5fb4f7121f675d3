/// The part of a run that this machine performs, and the environment variables that chose it.
package struct ShardChoice: Hashable, Sendable {
  /// The number of the part, from 1.
  package var number: Int
  package var count: Int
  /// The environment variables with which a CI engine chose the part, as `NAME=value`. Empty if an option chose the
  /// part.
  package var variables: [String]

  package init(number: Int, count: Int, variables: [String] = []) {
    self.number = number
    self.count = count
    self.variables = variables
  }

  /// Parses `K/N`.
  package init(option: String) throws(SelectionError) {
    let parts = option.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else {
      throw SelectionError("--shard expects K/N, such as 2/4 for the second of four, found '\(option)'")
    }
    guard count >= 1, (1...count).contains(number) else {
      throw SelectionError(
        "--shard expects K/N with K from 1 to N, found '\(option)'" + (number == 0 ? "; the first shard is 1" : ""))
    }
    self.init(number: number, count: count)
  }
}

extension ShardChoice {
  /// The environment variables with which an engine numbers its machines.
  struct Convention: Hashable, Sendable {
    var engine: String
    var index: String
    var total: String
    /// The index of the first machine.
    var base = 0
    /// The variable that contains the index of the first machine, if users of the engine can choose this index.
    var first: String?
    /// The variable that contains the distance between the indices of two machines, if users can choose it.
    var step: String?
  }

  /// The known engines. Each sets the variables `index` and `total` in every job that it splits.
  static let conventions = [
    Convention(engine: "Bazel", index: "TEST_SHARD_INDEX", total: "TEST_TOTAL_SHARDS"),
    Convention(engine: "GitLab", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", base: 1),
    Convention(engine: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL"),
    Convention(engine: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT"),
    Convention(
      engine: "Slurm", index: "SLURM_ARRAY_TASK_ID", total: "SLURM_ARRAY_TASK_COUNT", first: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
  ]

  /// The variable in which Kubernetes numbers the machines of an indexed job. No variable contains the number of
  /// machines.
  package static let completionIndex = "JOB_COMPLETION_INDEX"

  /// The part that the CI engine which started this process chose; nil if no engine splits the run.
  ///
  /// - Parameter shards: the number of shards, for an engine that does not provide this number.
  package init?(environment: [String: String], shards: Int?) throws(SelectionError) {
    if let shards {
      self = try Self.indexed(environment, of: shards)
      return
    }
    var choices: [(engine: String, choice: ShardChoice)] = []
    for convention in Self.conventions {
      if let choice = try convention.choice(environment) { choices.append((convention.engine, choice)) }
    }
    guard let first = choices.first else { return nil }
    if let other = choices.first(where: { ($0.choice.number, $0.choice.count) != (first.1.number, first.1.count) }) {
      throw SelectionError(
        "\(first.engine) and \(other.engine) name different shards (\((first.1.variables + other.1.variables).joined(separator: ", "))): "
          + "choose with --shard K/N, or run everything with --no-shard")
    }
    self = first.choice
    variables = choices.flatMap(\.choice.variables)
  }

  private static func indexed(_ environment: [String: String], of count: Int) throws(SelectionError) -> ShardChoice {
    guard count >= 1 else { throw SelectionError("--shards expects the number of shards, at least 1, found \(count)") }
    guard let text = environment[completionIndex] else {
      throw SelectionError(
        "--shards goes with an indexed job of Kubernetes, but \(completionIndex) is not set; elsewhere use --shard K/N")
    }
    let index = try number(text, completionIndex)
    guard (0..<count).contains(index) else {
      throw SelectionError("\(completionIndex) is \(index), but --shards \(count) allows 0 to \(count - 1)")
    }
    return ShardChoice(
      number: index + 1, count: count, variables: ["\(completionIndex)=\(index)"])
  }

  fileprivate static func number(_ text: String, _ variable: String) throws(SelectionError) -> Int {
    guard let number = Int(text) else {
      throw SelectionError("\(variable) is '\(text)', which is not a number; --no-shard ignores it")
    }
    return number
  }
}

extension ShardChoice.Convention {
  /// The part that this engine chose; nil if the engine does not split the run.
  func choice(_ environment: [String: String]) throws(SelectionError) -> ShardChoice? {
    guard let text = environment[total], !text.isEmpty else { return nil }
    let count = try ShardChoice.number(text, total)
    guard count >= 1 else { throw problem("\(total) is \(count), expected at least 1") }
    if count == 1 { return nil }
    guard let text = environment[index], !text.isEmpty else {
      throw problem("\(total) is \(count), but \(index) is not set")
    }
    let given = try ShardChoice.number(text, index)
    let first = try number(self.first, environment) ?? base
    let step = try number(self.step, environment) ?? 1
    let last = first + step * (count - 1)
    guard step >= 1, given >= first, given <= last, (given - first) % step == 0 else {
      throw problem(
        "\(index) is \(given), but \(count) shards have " + (step == 1 ? "" : "every \(step). number of ")
          + "\(first) to \(last)")
    }
    return ShardChoice(
      number: (given - first) / step + 1, count: count, variables: ["\(index)=\(given)", "\(total)=\(count)"])
  }

  private func number(_ variable: String?, _ environment: [String: String]) throws(SelectionError) -> Int? {
    guard let variable, let text = environment[variable], !text.isEmpty else { return nil }
    return try ShardChoice.number(text, variable)
  }

  private func problem(_ text: String) -> SelectionError {
    SelectionError("\(text) (\(engine)); --no-shard ignores these variables")
  }
}
