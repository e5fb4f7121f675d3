import ConformanceModel
import JSONKit

/// Sends random sequences of operations to a subject. If an answer differs from the answer of the reference server, the
/// explorer searches for a shorter sequence with the same difference.
struct Explorer: Sendable {
  /// Sends an operation with these values to the subject. Returns the answer as the JSON value that the claims of a
  /// case read.
  typealias Ask = @Sendable (_ draw: Exploration.Draw, _ values: JSON.Object) async throws -> JSON

  /// A sequence whose last answer differs from the answer of the reference server.
  struct Finding: Hashable, Sendable {
    var operations: [ExploredOperation]
    var disagreement: Disagreement
    /// The number of the sequence.
    var run: Int
    /// Whether a replay of the operations led to the same disagreement. If not, the machine may have caused the
    /// disagreement.
    var isRepeatable = true
  }

  /// The result of an exploration.
  struct Outcome: Sendable {
    /// One shortened finding for each kind of disagreement.
    var findings: [Finding] = []
    /// Maps each operation to the number of answers that agree with the reference server.
    var agreed: [String: Int] = [:]
  }

  private struct Played {
    var finding: Finding?
    var agreed: [String: Int] = [:]
  }

  /// The number of sequences that run at the same time. More than one, because a remote server keeps a sequence waiting
  /// most of the time.
  private static let lanes = 16
  /// The largest number of replays with which the explorer tries to shorten one finding.
  private static let trials = 400
  /// The largest number of findings, each of a different kind. If every answer of a subject is wrong, more findings
  /// would not help.
  private static let kinds = 8

  private let setting: ExploredPair.Setting
  private let seed: UInt64
  /// A text that no other case uses.
  private let unique: String
  private let now: @Sendable () -> Int
  private let ask: Ask

  init(
    _ setting: ExploredPair.Setting, seed: UInt64, unique: String, now: @escaping @Sendable () -> Int,
    ask: @escaping Ask
  ) {
    self.setting = setting
    self.seed = seed
    self.unique = unique
    self.now = now
    self.ask = ask
  }

  func explore() async throws -> Outcome {
    let played = try await playAll()
    var outcome = Outcome()
    for run in played { outcome.agreed.merge(run.agreed) { $0 + $1 } }
    for finding in played.compactMap(\.finding) {
      guard outcome.findings.count < Self.kinds else { break }
      let isKnown = outcome.findings.contains { $0.disagreement.isLike(finding.disagreement) }
      if !isKnown { outcome.findings.append(try await shortened(finding)) }
    }
    return outcome
  }

  /// Replays the operations of a finding. Sends them with the parameter `ask` instead of the property `self.ask`.
  func replay(_ finding: Finding, ask: @escaping Ask) async throws {
    _ = try await play(finding.operations, as: "\(unique)e\(finding.run)", ask: ask)
  }

  /// Runs all sequences, several of them at a time. Returns their results in the order of their numbers.
  private func playAll() async throws -> [Played] {
    let next = Counter()
    let runs = setting.exploration.runs
    return try await withThrowingTaskGroup(of: [(Int, Played)].self) { group in
      for _ in 0..<min(Self.lanes, runs) {
        group.addTask {
          var done: [(Int, Played)] = []
          while true {
            let run = next.next() - 1
            guard run < runs else { return done }
            try Task.checkCancellation()
            done.append((run, try await drawAndPlay(run)))
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func drawAndPlay(_ run: Int) async throws -> Played {
    // Neighbouring seeds give unrelated sequences, since the generator mixes them.
    var random = SeededRandom(seed: seed &+ UInt64(run) &* 0x9E37_79B9)
    var pair = ExploredPair(setting, run: "\(unique)r\(run)", seed: random.next())
    var operations: [ExploredOperation] = []
    var played = Played()
    for serial in 1...setting.exploration.operations {
      guard let operation = pair.draw(serial: serial, using: &random) else { break }
      operations.append(operation)
      if let disagreement = try await step(operation, &pair, ask) {
        played.finding = Finding(operations: operations, disagreement: disagreement, run: run)
        break
      }
      played.agreed[setting.exploration.draws[operation.draw].word, default: 0] += 1
    }
    return played
  }

  private func step(
    _ operation: ExploredOperation, _ pair: inout ExploredPair, _ ask: Ask
  ) async throws -> Disagreement? {
    let expected = try pair.answer(to: operation, now: now())
    let observed = try await ask(
      setting.exploration.draws[operation.draw], pair.values(of: operation, on: .subject))
    return pair.compare(operation, expected, observed)
  }

  /// Replays operations. Skips an operation that refers to a missing value. Returns the operations up to the first
  /// disagreement, and this disagreement; nil if all answers agree.
  private func play(
    _ operations: [ExploredOperation], as run: String, ask: Ask
  ) async throws -> (operations: [ExploredOperation], disagreement: Disagreement)? {
    var pair = ExploredPair(setting, run: run, seed: seed)
    var asked: [ExploredOperation] = []
    for operation in operations where pair.can(operation) {
      asked.append(operation)
      if let disagreement = try await step(operation, &pair, ask) { return (asked, disagreement) }
    }
    return nil
  }

  // MARK: - Shortening

  /// The finding with as few operations as possible. Where a choice has several values, it uses the first value with
  /// which the disagreement still occurs.
  private func shortened(_ finding: Finding) async throws -> Finding {
    var left = Self.trials
    func shows(_ operations: [ExploredOperation]) async throws -> [ExploredOperation]? {
      guard left > 0 else { return nil }
      left -= 1
      let played = try await play(operations, as: "\(unique)s\(finding.run)x\(left)", ask: ask)
      guard let played, played.disagreement.isLike(finding.disagreement) else { return nil }
      return played.operations
    }
    var shortest = finding
    guard let again = try await shows(finding.operations) else {
      shortest.isRepeatable = false
      return shortest
    }
    var operations = again
    var size = max(1, operations.count / 2)
    while true {
      let before = operations.count
      var start = 0
      while start < operations.count {
        let rest = Array(operations[..<start] + operations.dropFirst(start + size))
        if let fewer = try await shows(rest), fewer.count < operations.count {
          operations = fewer
        } else {
          start += size
        }
      }
      if size == 1, operations.count == before { break }
      size = max(1, size / 2)
    }
    for choice in setting.exploration.choices {
      for index in choice.values.indices.dropFirst() {
        for simpler in choice.values.indices[..<index] {
          let changed = operations.map { $0.choosing(simpler, insteadOf: index, of: choice.name) }
          guard changed != operations, let same = try await shows(changed) else { continue }
          operations = same
          break
        }
      }
    }
    shortest.operations = operations
    if let last = try await play(operations, as: "\(unique)l\(finding.run)", ask: ask) {
      shortest.disagreement = last.disagreement
    }
    return shortest
  }
}

extension ExploredOperation {
  fileprivate func choosing(_ simpler: Int, insteadOf index: Int, of name: String) -> ExploredOperation {
    var operation = self
    if choices[name] == index { operation.choices[name] = simpler }
    return operation
  }
}
