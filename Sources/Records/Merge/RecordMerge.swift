import ConformanceModel
import ConformanceVerdict

/// Merges the records of the shards of one run into the record that a run on one machine would have written.
package struct RecordMerge: Sendable {
  /// The error that the records cannot be merged. It contains a sentence with the reason.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
  }

  private let shards: [ShardRecord]
  private let first: RunRecord.Shard
  /// The numbers of the shards whose records were not given.
  package let missing: [Int]

  /// Takes the records of the shards of one run, in any order. Throws ``Refusal`` if they cannot be merged.
  package init(_ records: [ShardRecord]) throws(Refusal) {
    for record in records where record.header.shard == nil {
      throw Refusal("'\(record.path)' is the record of a whole run, not of a shard: name the records of shards only")
    }
    shards = records.sorted { ($0.header.shard?.number ?? 0) < ($1.header.shard?.number ?? 0) }
    guard let one = shards.first, let shard = one.header.shard else { throw Refusal("name the records of the shards") }
    first = shard
    for other in shards.dropFirst() { try Self.expectSameRun(one, other) }
    try Self.expectApart(shards)
    let numbers = Set(shards.compactMap { $0.header.shard?.number })
    missing = (1...shard.count).filter { !numbers.contains($0) }
  }

  private static func expectSameRun(_ one: ShardRecord, _ other: ShardRecord) throws(Refusal) {
    for (fact, value) in one.header.facts {
      let found = other.header.facts.first { $0.0 == fact }?.1
      guard value != found else { continue }
      throw Refusal(
        "'\(other.path)' is a shard of another run than '\(one.path)': its \(fact) is \(found ?? "none"), not \(value); "
          + "merge the shards of one run")
    }
    for (mine, its) in zip(one.groups, other.groups) where mine.subjects != its.subjects {
      let names = [mine, its].map {
        $0.subjects.map { "\($0.subject.name) \($0.subject.version)" }.joined(separator: ", ")
      }
      let difference = names[0] == names[1] ? "another '\(names[1])', with other capabilities" : "'\(names[1])'"
      throw Refusal(
        "'\(other.path)' is about \(difference), and '\(one.path)' about '\(names[0])'; merge runs of one subject")
    }
  }

  private static func expectApart(_ shards: [ShardRecord]) throws(Refusal) {
    for (one, next) in zip(shards, shards.dropFirst()) where one.header.shard?.number == next.header.shard?.number {
      let shard = one.header.shard.map { "\($0)" } ?? ""
      throw Refusal("'\(one.path)' and '\(next.path)' are both \(shard); name each shard once")
    }
    var owners: [CaseInstance: String] = [:]
    for shard in shards {
      for run in shard.cases {
        if let owner = owners.updateValue(shard.path, forKey: run.instance) {
          throw Refusal(
            "'\(owner)' and '\(shard.path)' overlap: both have a result of \(run.instance); make the shards again with "
              + "one kit and one --balance")
        }
      }
    }
  }

  /// The first line of the merged record.
  ///
  /// - Parameter rerun: converts the command of a shard into the command of the whole run.
  package func header(rerun: (String) -> String) -> RunRecord.Header {
    var header = shards[0].header
    header.startedAt = shards.map(\.header.startedAt).min() ?? header.startedAt
    header.planned = first.whole
    header.jobs = shards.map(\.header.jobs).reduce(0, +)
    header.shard = nil
    header.rerun = rerun(header.rerun)
    return header
  }

  /// All runs of cases with a result. `record` is the path of the shard's record that contains the run. With this path,
  /// the caller finds the evidence of the run.
  package var evidence: [(record: String, run: RunRecord.CaseRun)] {
    shards.flatMap { shard in shard.cases.map { (shard.path, $0) } }
  }

  /// The lines of the merged record between its first and its last line. The lines about the same participants are
  /// together, in the order of the shards' numbers.
  ///
  /// - Parameter evidence: returns the path of the evidence file of a run of a case in the merged record; nil if the
  ///   run has no evidence.
  package func lines(under header: RunRecord.Header, evidence: (CaseInstance) -> String?) -> [RunRecord.Line] {
    let count = shards.map(\.groups.count).max() ?? 0
    return (0..<count).flatMap { index in
      let groups = shards.compactMap { $0.groups.indices.contains(index) ? $0.groups[index] : nil }
      let subjects = groups.first?.subjects ?? []
      return subjects.map(RunRecord.Line.subject)
        + groups.flatMap(\.lines).map { Self.moved($0, under: header, evidence) }
    }
  }

  private static func moved(
    _ line: RunRecord.Line, under header: RunRecord.Header, _ evidence: (CaseInstance) -> String?
  ) -> RunRecord.Line {
    switch line {
    case .testCase(var run):
      run.evidence = evidence(run.instance)
      return .testCase(run)
    case .verdict(var ruling):
      ruling.rerun = header.rerun(ruling.verdict.instance, ruling.verdict.requirement)
      return .verdict(ruling)
    case .run, .subject, .doubt, .end: return line
    }
  }

  /// The last line of the merged record.
  ///
  /// - Parameter planned: all runs of cases that the whole run planned. If runs have no result, the last line names the
  ///   first five of them.
  package func end(of header: RunRecord.Header, _ lines: [RunRecord.Line], planned: [CaseInstance]) -> RunRecord.End {
    var account = RunAccount(header)
    for line in lines {
      switch line {
      case .doubt(let doubt): account.add(doubt)
      case .testCase(let run): account.addCase(run.instance)
      case .verdict(let ruling): account.add(ruling)
      case .run, .subject, .end: break
      }
    }
    let ends = shards.compactMap(\.end)
    let wasInterrupted = ends.contains(where: \.wasInterrupted)
    account.incidents = incidents(planned)
    return RunRecord.End(
      tally: account.tally, conclusion: account.conclusion(wasInterrupted ? .interruption : .end),
      notes: account.unboundFeatures + Set(ends.flatMap(\.notes)).sorted(), incidents: account.incidents,
      wasInterrupted: wasInterrupted, duration: ends.map(\.duration).max() ?? 0)
  }

  /// Sentences with the reasons why the merged record is incomplete.
  private func incidents(_ planned: [CaseInstance]) -> [String] {
    let gone = missing.map { "shard \($0) of \(first.count) is missing" }
    let broken = shards.flatMap { shard -> [String] in
      let name = shard.header.shard.map { "\($0)" } ?? shard.path
      guard let end = shard.end else {
        return ["\(name) was killed after \(shard.cases.count) of \(shard.header.planned) cases"]
      }
      let stopped =
        end.wasInterrupted
        ? ["\(name) was interrupted after \(shard.cases.count) of \(shard.header.planned) cases"] : []
      return stopped + end.incidents.map { "\(name): \($0)" }
    }
    let done = Set(shards.flatMap(\.cases).map(\.instance))
    let open = planned.filter { !done.contains($0) }.map { "\($0)" }.sorted()
    guard !open.isEmpty else { return gone + broken }
    let shown = 5
    let more = open.count > shown ? " and \(open.count - shown) more" : ""
    return gone + broken + ["without a result: \(open.prefix(shown).joined(separator: ", "))\(more)"]
  }
}

extension RunRecord.Header {
  /// The facts in which the headers of all shards of a run must agree, each with its name.
  fileprivate var facts: [(String, String)] {
    [
      ("protocol", protocolName), ("revision", specRevision), ("kit", kit), ("pack digest", packDigest),
      ("gate", gate.rawValue), ("seed", "\(seed)"), ("clock", clock?.rawValue ?? "the cheapest"),
      ("baseline", baseline?.digest ?? "none"),
      ("selection", selection.isEmpty ? "everything" : selection.joined(separator: " ")),
      ("list of roles", roles.map(\.rawValue).joined(separator: ", ")),
      ("list of dialects", dialects.map(\.rawValue).joined(separator: ", ")),
      ("list of positions switched off", withoutPositions.map(\.rawValue).joined(separator: ", ")),
      ("number of shards", "\(shard?.count ?? 1)"), ("number of planned cases", "\(shard?.whole ?? planned)"),
      ("record of --balance", shard?.balance?.digest ?? "none"),
    ]
  }
}
