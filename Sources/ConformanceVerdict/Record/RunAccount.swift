import ConformanceModel

/// Counts the verdicts of a run as they arrive, and draws the conclusion of the run from the counts.
///
/// All code that writes, checks or shows records uses this type, so that the same record always has the same
/// conclusion.
package struct RunAccount: Sendable {
  /// The ways in which a run ends.
  package enum Stop: Hashable, Sendable {
    case end
    /// The run received a signal to stop.
    case interruption
    /// The record has no last line, because the run was killed.
    case death
  }

  package let gate: Gate
  package let planned: Int
  package private(set) var tally = Tally()
  package private(set) var cases = 0
  /// The cases that failed, perhaps only because the machine was busy, and whose second result has not arrived yet.
  private var doubts: Set<CaseInstance> = []
  /// Problems of the run that are not about a case, one sentence for each.
  package var incidents: [String] = []
  private var roles: Set<Role> = []
  private var features: [FeatureKey: [Dialect: Feature]] = [:]
  private var skips: [String: Int] = [:]
  /// Whether the run selected single cases or requirements. In such a run, skipped features do not count as gaps.
  private let isOfChosenCases: Bool
  /// Whether this is only one shard of a run, so that other machines run the other shards. The gaps of the whole run
  /// are known only after all shards are merged.
  private let isShard: Bool

  package init(gate: Gate, planned: Int, isOfChosenCases: Bool = false, isShard: Bool = false) {
    self.isShard = isShard
    self.gate = gate
    self.planned = planned
    self.isOfChosenCases = isOfChosenCases
  }

  package init(_ header: RunRecord.Header) {
    let choices: Set<String> = ["--case", "--requirement"]
    self.init(
      gate: header.gate, planned: header.planned, isOfChosenCases: !choices.isDisjoint(with: header.selection),
      isShard: header.shard != nil)
  }

  private struct FeatureKey: Hashable, Comparable {
    var role: Role
    var number: Int
    var name: String

    static func < (left: Self, right: Self) -> Bool {
      (left.role, left.number, left.name) < (right.role, right.number, right.name)
    }
  }

  /// Counts about the mandatory requirements of a feature in a dialect.
  private struct Feature {
    var isTouched = false
    /// The requirements that bind the subject.
    var rules: Set<RequirementID> = []
    var skips: [String: Int] = [:]
    /// The capabilities that the subject lacks and that a requirement of the feature names as its condition. Without
    /// the capability, this requirement does not bind the subject.
    var unmetConditions: Set<String> = []
  }

  package mutating func add(_ doubt: RunRecord.Doubt) { doubts.insert(doubt.instance) }

  package mutating func addCase(_ instance: CaseInstance) {
    cases += 1
    doubts.remove(instance)
  }

  package mutating func add(_ ruling: RunRecord.Ruling) {
    tally.add(ruling.disposition)
    roles.insert(ruling.rule.role)
    let skip = ruling.disposition == .skipped ? ruling.verdict.outcome.reason ?? "" : nil
    if let skip { skips[skip, default: 0] += 1 }
    guard let row = ruling.rule.feature, gate.demands(ruling.rule.level, ruling.rule.basis) else { return }
    let key = FeatureKey(role: ruling.rule.role, number: row.number, name: row.name)
    var feature = features[key]?[ruling.verdict.instance.dialect] ?? Feature()
    if skip != nil, let condition = ruling.verdict.unmetCondition {
      feature.unmetConditions.insert(condition)
    } else {
      feature.rules.insert(ruling.verdict.requirement)
      if let skip { feature.skips[skip, default: 0] += 1 } else { feature.isTouched = true }
    }
    features[key, default: [:]][ruling.verdict.instance.dialect] = feature
  }

  package func conclusion(_ stop: Stop) -> Conclusion {
    let doubtful = doubts.isEmpty ? "" : ", and with \(doubts.count) in doubt"
    let progress = "\(cases) of \(planned) cases\(doubtful)"
    let cut: String? =
      switch stop {
      case .death: "the run was killed after \(progress)"
      case .interruption: "the run was interrupted after \(progress)"
      case .end: cases < planned ? "only \(progress) have a result" : nil
      }
    let reasons = [cut].compactMap(\.self) + incidents + lacks
    return switch stop {
    // The verdicts that a killed run would have had are unknown.
    case .death: Conclusion(.incomplete, reasons)
    // Cases under way were abandoned. Their missing verdicts say nothing about a subject.
    case .interruption where tally[.fail] == 0: Conclusion(.incomplete, reasons)
    case .interruption, .end: Conclusion(tally, missing: reasons)
    }
  }

  /// The gaps of the run as a whole, one sentence for each.
  private var lacks: [String] { isShard ? [] : nothingPassed.map { [$0] } ?? skippedFeatures }

  /// A sentence if all verdicts of the run are skipped or advisory, since the absence of failures then shows nothing
  /// about the subject; otherwise nil. In a run of chosen cases or requirements, advisory verdicts are enough, because
  /// the user asked for them.
  private var nothingPassed: String? {
    guard tally[[.pass, .fail, .known, .stale, .error]] == 0 else { return nil }
    if isOfChosenCases, tally[.advisory] > 0 { return nil }
    if isOfChosenCases, planned == 0 { return "nothing passed: no case here judges the chosen requirements" }
    guard tally[.skipped] > 0, tally[.advisory] == 0 else { return "nothing passed: no verdict speaks for the subject" }
    return "nothing passed: every verdict was skipped, because \(Self.cause(skips))"
  }

  /// Maps each role to the dialects in which its subject was tested: at least one mandatory requirement was not skipped
  /// there. Only gaps in these dialects make a run incomplete. For example, an SDK that is configured for one kind of
  /// server is tested with another kind in another run.
  private var spoken: [Role: Set<Dialect>] {
    features.reduce(into: [:]) { spoken, feature in
      let dialects = feature.value.filter(\.value.isTouched).keys
      if !dialects.isEmpty { spoken[feature.key.role, default: []].formUnion(dialects) }
    }
  }

  /// One sentence for each feature whose mandatory requirements were all skipped.
  private var skippedFeatures: [String] {
    if isOfChosenCases { return [] }
    let spoken = spoken
    return features.sorted { $0.key < $1.key }.compactMap { key, parts in
      let skipped = parts.filter {
        !$0.value.isTouched && !$0.value.rules.isEmpty && spoken[key.role]?.contains($0.key) ?? true
      }
      guard !skipped.isEmpty else { return nil }
      let rules = skipped.values.reduce(into: Set<RequirementID>()) { $0.formUnion($1.rules) }.count
      let causes = skipped.values.reduce(into: [:]) { $0.merge($1.skips, uniquingKeysWith: +) }
      let role = roles.count > 1 ? " of \(key.role)" : ""
      let dialects = skipped.count < parts.count ? skipped.keys.sorted().map { " @\($0)" }.joined() : ""
      let what =
        rules == 1 ? "the one mandatory requirement was skipped" : "all \(rules) mandatory requirements were skipped"
      return "\(key.number) \(key.name)\(role)\(dialects): \(what), because \(Self.cause(causes))"
    }
  }

  /// One sentence for each feature none of whose mandatory requirements binds the subjects. Such a feature is not a
  /// gap. For example, if a document describes alternatives, a subject needs to support only one of them.
  package var unboundFeatures: [String] {
    if isShard { return [] }
    return features.sorted { $0.key < $1.key }.compactMap { key, parts in
      let conditions = parts.values.reduce(into: Set<String>()) { $0.formUnion($1.unmetConditions) }
      guard !conditions.isEmpty, parts.values.allSatisfy({ !$0.isTouched && $0.rules.isEmpty }) else { return nil }
      let role = roles.count > 1 ? " of \(key.role)" : ""
      let names = conditions.sorted().map { "'\($0)'" }.joined(separator: " or ")
      return "\(key.number) \(key.name)\(role): not asked, because it binds only a subject with \(names)"
    }
  }

  /// The most frequent of the reasons, and the number of other reasons, in words.
  private static func cause(_ reasons: [String: Int]) -> String {
    let first = reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "of no reason that is given"
    return switch reasons.count {
    case 0, 1: first
    case 2: "\(first) (and one other reason)"
    default: "\(first) (and \(reasons.count - 1) other reasons)"
    }
  }
}

extension RunRecord {
  /// The counts of all lines of the record.
  package var account: RunAccount {
    var account = RunAccount(header)
    for doubt in doubts.values { account.add(doubt) }
    for run in cases { account.addCase(run.instance) }
    for ruling in rulings { account.add(ruling) }
    account.incidents = end?.incidents ?? []
    return account
  }

  /// The conclusion of the run. A record without a last line is incomplete.
  package var conclusion: Conclusion { end?.conclusion ?? account.conclusion(.death) }
}
