import ConformanceModel
import ConformanceVerdict

extension CertificationTier {
  /// The reasons why a run does not qualify for a certificate of this tier, one sentence for each. Empty if the run
  /// qualifies.
  package func shortcomings(of facts: RecordFacts, in definition: ProtocolDefinition) -> [String] {
    omissions(of: facts, in: definition) + failures(of: facts)
  }

  /// One sentence for each part that this tier demands and that the run omits. Whether the cases of the run passed
  /// makes no difference.
  package func omissions(of facts: RecordFacts, in definition: ProtocolDefinition) -> [String] {
    let lacked = lacks(of: facts, in: definition).map { lack in
      "the \(lack.role) lacks '\(lack.capability)', which the tier '\(name)' needs"
    }
    return narrowings(of: facts.header) + gaps(in: facts, of: definition) + lacked
  }

  /// One sentence for each option of the run that leaves out a part of what the tier demands, or that makes the
  /// judgement less strict.
  private func narrowings(of header: RunRecord.Header) -> [String] {
    var reasons: [String] = []
    if let shard = header.shard {
      reasons.append("the record is part \(shard.number) of \(shard.count) of a run: use 'conform merge'")
    }
    let allowed = ["--role", "--dialect"] + (profiles.isEmpty ? [] : ["--profile"])
    let narrow = stride(from: 0, to: header.selection.count, by: 2).map { header.selection[$0] }.filter {
      !allowed.contains($0)
    }
    if !narrow.isEmpty {
      reasons.append("the run was narrowed with \(narrow.joined(separator: ", ")): run the whole suite")
    }
    if !header.profiles.isEmpty {
      for profile in profiles where !header.profiles.contains(profile) {
        reasons.append("the run leaves out the profile '\(profile)'")
      }
    }
    for role in roles where !header.roles.contains(role) {
      reasons.append("the run is not about the role '\(role)'")
    }
    if !header.dialects.isEmpty {
      for dialect in dialects where !header.dialects.contains(dialect) {
        reasons.append("the run leaves out the dialect '\(dialect)'")
      }
    }
    if !header.withoutPositions.isEmpty {
      let names = header.withoutPositions.map(\.rawValue).joined(separator: ", ")
      reasons.append("the run switched positions off: \(names)")
    }
    if let baseline = header.baseline { reasons.append("the run had a baseline, '\(baseline.file)'") }
    if header.gate != gate {
      reasons.append("the gate of the run is '\(header.gate.rawValue)'; the tier '\(name)' needs '\(gate.rawValue)'")
    }
    return reasons
  }

  /// One sentence for each reason why the record does not show a complete and honest run.
  private func gaps(in facts: RecordFacts, of definition: ProtocolDefinition) -> [String] {
    var reasons: [String] = []
    if facts.end == nil { reasons.append("the record has no end: the run was killed") }
    if facts.end?.wasInterrupted == true { reasons.append("the run was interrupted") }
    if facts.cases != facts.header.planned {
      reasons.append("the record has \(facts.cases) of \(facts.header.planned) cases")
    }
    if let frozen = facts.frozen, let name = facts.changed.first {
      reasons.append(
        "\(Set(facts.changed).count) cases changed since the set '\(frozen.revision)' was frozen, such as '\(name)':"
          + " a change needs a new set ('conform freeze')")
    }
    let digests = facts.evidence.values.compactMap(\.self).count
    if facts.withoutEvidence > 0 || digests != facts.cases {
      reasons.append("the record has evidence with a digest for \(digests) of \(facts.cases) cases")
    }
    if let clock, facts.clocks != [clock] {
      let found = facts.clocks.map(\.rawValue).sorted().joined(separator: ", ")
      reasons.append("cases ran with the clock '\(found)'; the tier '\(name)' needs '\(clock.rawValue)'")
    }
    let parts = facts.header.roles.map { definition.parts(of: $0) }
    let seats = Set(parts.flatMap { [$0.driven, $0.called] }.compactMap(\.self))
    for participant in facts.participants where !seats.contains(participant.role) {
      reasons.append("'\(participant.subject.name)' has the role '\(participant.role)', which takes part in no case")
    }
    for role in seats.sorted() {
      let count = facts.participants.count { $0.role == role }
      if count > 1 { reasons.append("the record is about \(count) implementations of the role '\(role)', not one") }
    }
    for participant in facts.participants where !participant.subject.isHonest {
      reasons.append("'\(participant.subject.name)' reported success for commands that do not exist")
    }
    for participant in facts.participants {
      if case .answersWithout(let held, _)? = participant.driving {
        reasons.append("the adapter of '\(participant.subject.name)' answers without the SDK: \(held.list)")
      }
      for ability in participant.subject.lacks.sorted() {
        let lack =
          switch ability {
          case .kill: "its process cannot be killed"
          case .files: "its files cannot be searched"
          }
        reasons.append("'\(participant.subject.name)' ran where \(lack), so cases that need that were not judged")
      }
    }
    return reasons
  }

  /// The reasons why the results of a run do not qualify, one sentence for each.
  package func failures(of facts: RecordFacts) -> [String] {
    let empty = roles.flatMap { role in
      dialects.filter { !facts.passed.contains(.init(role: role, dialect: $0)) }.map { dialect in
        "nothing passed for the role '\(role)' in the dialect '\(dialect)'"
      }
    }
    guard let conclusion = facts.conclusion, conclusion.word != .conformant else { return empty }
    let missing = conclusion.reasons.isEmpty ? "" : ": " + conclusion.reasons.joined(separator: "; ")
    return empty + ["the conclusion of the run is '\(conclusion.word.rawValue)', not 'conformant'\(missing)"]
  }

  /// The capabilities that the tier demands and that a participant of the run did not report, with the role of that
  /// participant.
  private func lacks(
    of facts: RecordFacts, in definition: ProtocolDefinition
  ) -> [(role: Role, capability: String)] {
    facts.participants.filter { roles.contains($0.role) }.flatMap { participant in
      definition.capabilities.filter { capability in
        let mayBeMissing = mayLack.map { $0.contains(capability.name) } ?? !capability.isRequired
        return capability.roles.contains(participant.role) && !mayBeMissing
          && !participant.subject.capabilities.contains(capability.name)
      }.map { (role: participant.role, capability: $0.name) }
    }
  }

  /// One sentence for each reason why these findings do not show that the project meets the tier's submission
  /// requirements.
  package func shortcomings(of findings: [SubmissionFinding]) -> [String] {
    let ids = findings.map(\.id)
    var reasons = submission.compactMap { shortcoming(of: $0, in: findings) }
    for id in Set(ids).sorted() {
      if !submission.contains(where: { $0.id == id }) {
        reasons.append("the tier '\(name)' has no submission requirement '\(id)'")
      }
      if ids.count(where: { $0 == id }) > 1 { reasons.append("there are several findings of '\(id)'") }
    }
    return reasons
  }

  private func shortcoming(of wanted: Submission, in findings: [SubmissionFinding]) -> String? {
    guard let finding = findings.first(where: { $0.id == wanted.id }), finding.result != .notFound else {
      return "the submission requirement '\(wanted.id)' is not met: \(wanted.text)"
    }
    if finding.result == .found, wanted.place == .person { return "only a person can attest '\(wanted.id)'" }
    return nil
  }
}
