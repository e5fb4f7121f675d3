/// The verdicts of a run as they come, counted so far as it takes to say how the run ended.
///
/// Whoever writes a record, checks one or renders one asks here, so that all say the same.
package struct RunAccount: Sendable {
  /// How the run came to its end.
  package enum Stop: Hashable, Sendable {
    case end
    /// It was asked to stop.
    case interruption
    /// Its record has no end.
    case death
  }

  package let gate: Gate
  package let planned: Int
  package private(set) var tally = Tally()
  package private(set) var cases = 0
  /// The cases that were to be tried again and have no result.
  private var doubts: Set<CaseInstance> = []
  /// What kept the run from being a whole one and belongs to no case, a sentence each.
  package var incidents: [String] = []
  private var roles: Set<Role> = []
  private var features: [FeatureKey: [Dialect: Feature]] = [:]
  private var skips: [String: Int] = [:]
  /// Whether single cases or requirements were chosen: such a run is about nothing else, and lacks no feature.
  private let isOfChosenCases: Bool
  /// Whether other machines perform the rest: what the whole run lacks shows only when the shards are merged.
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

  /// The required rules of a feature in a dialect.
  private struct Feature {
    var isTouched = false
    /// Those that bind the subject.
    var rules: Set<RequirementID> = []
    var skips: [String: Int] = [:]
    /// The capabilities that the subject lacks, and without which a rule does not bind it.
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

  /// How the run ended.
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
    // Nobody knows what else would have come.
    case .death: Conclusion(.incomplete, reasons)
    // What was under way was given up: that it has no verdict says nothing of anybody.
    case .interruption where tally[.fail] == 0: Conclusion(.incomplete, reasons)
    case .interruption, .end: Conclusion(tally, missing: reasons)
    }
  }

  /// What the run as a whole did not look at.
  private var lacks: [String] { isShard ? [] : nothingPassed.map { [$0] } ?? skippedFeatures }

  /// That nothing is wrong only because nothing was seen; nil where something was.
  private var nothingPassed: String? {
    guard tally[[.pass, .fail, .known, .stale, .error]] == 0 else { return nil }
    guard tally[.skipped] > 0, tally[.advisory] == 0 else { return "nothing passed: no verdict speaks for the subject" }
    return "nothing passed: every verdict was skipped, because \(Self.cause(skips))"
  }

  /// The dialects in which the subjects of each role were looked at. One that a subject does not speak is no lack of it:
  /// the SDK is another one where it is configured for another server, and is run as such.
  private var spoken: [Role: Set<Dialect>] {
    features.reduce(into: [:]) { spoken, feature in
      let dialects = feature.value.filter(\.value.isTouched).keys
      if !dialects.isEmpty { spoken[feature.key.role, default: []].formUnion(dialects) }
    }
  }

  /// The features of which no required rule was looked at, a sentence each.
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
      let what = rules == 1 ? "the one required rule was skipped" : "all \(rules) required rules were skipped"
      return "\(key.number) \(key.name)\(role)\(dialects): \(what), because \(Self.cause(causes))"
    }
  }

  /// The features that do not bind the subjects, a sentence each: where a document has alternatives, a subject with one of
  /// them is judged by that one.
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

  /// The reason that is given most often, and how many others there are.
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
  /// What the record holds, counted.
  package var account: RunAccount {
    var account = RunAccount(header)
    for doubt in doubts.values { account.add(doubt) }
    for run in cases { account.addCase(run.instance) }
    for ruling in rulings { account.add(ruling) }
    account.incidents = end?.incidents ?? []
    return account
  }

  /// How the run ended; one without an end is incomplete.
  package var conclusion: Conclusion { end?.conclusion ?? account.conclusion(.death) }
}
