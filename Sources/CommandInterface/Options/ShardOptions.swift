import ArgumentParser
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import FoundationEssentials
import TextKit

/// The options that divide a run into shards, and select the shard that this machine runs.
package struct ShardOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      Run only this shard, such as 2/4 for the second of four. Without the option, variables of Bazel, GitLab, \
      CircleCI, Buildkite or Slurm choose the shard.
      """, valueName: "K/N"))
  var shard: String?

  @Option(
    help: ArgumentHelp(
      """
      The number of shards of an indexed job of Kubernetes. The variable \(ShardChoice.completionIndex) chooses the \
      shard.
      """, valueName: "number"))
  var shards: Int?

  @Option(
    help: ArgumentHelp("Use the durations in this run record to make the shards equally long.", valueName: "record"),
    completion: .file())
  var balance: String?

  @Flag(help: "Run all cases, and ignore the variables of a CI engine.")
  var noShard = false

  package func validate() throws {
    let options = [shard.map { _ in "--shard" }, shards.map { _ in "--shards" }, noShard ? "--no-shard" : nil]
    let given = options.compactMap(\.self)
    if given.count > 1 {
      throw ValidationError("\(given.joined(separator: " and ")) contradict each other: give only one of them")
    }
  }

  /// The part of the plans that this machine runs.
  package struct Part {
    package var shard: RunRecord.Shard
    package var plans: [(Role, Plan)]
  }

  /// Selects the part of these plans that this machine runs; nil if the run is not divided into shards. If environment
  /// variables select the part, prints their names.
  package func part(of plans: [(Role, Plan)], hosts: [ProtocolDefinition.Host]) throws -> Part? {
    guard let choice = try choice, choice.count > 1 else {
      if balance != nil, !noShard {
        throw BadInput("--balance splits a run, but no shard is chosen: give --shard K/N too, or leave it out")
      }
      return nil
    }
    let instances = plans.flatMap { $0.1.items.map(\.instance) }
    let earlier = try balance.map(Self.earlier)
    let parts = Sharding(count: choice.count, durations: earlier?.durations).parts(of: instances)
    let shard = RunRecord.Shard(
      number: choice.number, count: choice.count, whole: instances.count, balance: earlier?.file)
    tell(choice, shard)
    return Part(
      shard: shard, plans: plans.map { ($0, $1.part(choice.number, by: parts, hosts: hosts)) })
  }

  private var choice: ShardChoice? {
    get throws {
      if noShard { return nil }
      if let shard { return try ShardChoice(option: shard) }
      let environment = ProcessInfo.processInfo.environment
      let choice = try ShardChoice(environment: environment, shards: shards)
      if choice == nil, let index = environment[ShardChoice.completionIndex] {
        Terminal.error(
          "conform: \(ShardChoice.completionIndex) is \(index): every case runs; --shards N splits the run among N pods\n"
        )
      }
      return choice
    }
  }

  private func tell(_ choice: ShardChoice, _ shard: RunRecord.Shard) {
    guard !choice.variables.isEmpty else { return }
    let variables = choice.variables.joined(separator: ", ")
    Terminal.error("conform: this is \(shard) by \(variables); --no-shard runs everything\n")
  }

  /// The digest of an earlier record, and the duration of each run of a case in the record.
  private static func earlier(
    _ path: String
  ) throws -> (file: RunRecord.Header.FileDigest, durations: [CaseInstance: Double]) {
    let record = try RunRecord(readingFrom: path)
    let digest = try Digest.ofFile(path)
    return (
      .init(file: path, digest: digest),
      Dictionary(record.cases.map { ($0.instance, $0.duration) }) { _, last in last }
    )
  }
}
