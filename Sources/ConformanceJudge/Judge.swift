import ConformanceModel

/// Turns a transcript into verdicts: pure, so stored evidence can be judged again, or mutated to prove the judge.
package struct Judge: Sendable {
  package let catalogue: Catalogue
  package let checks: [String: Check]

  /// The checks of the protocol's pack join the ``CommonChecks``.
  package init(catalogue: Catalogue, checks: [String: Check]) {
    self.catalogue = catalogue
    self.checks = CommonChecks.all.merging(checks) { _, own in own }
  }

  /// A transcript of a case that the catalogue does not have.
  package struct UnknownCase: Error, Hashable, Sendable, CustomStringConvertible {
    package var instance: CaseInstance

    package var description: String {
      "the catalogue has no case '\(instance.name)': it was renamed or withdrawn, or the transcript is of another protocol"
    }
  }

  /// One verdict for each requirement that the case makes a claim about in the transcript's dialect, in claim order.
  package func verdicts(for transcript: Transcript) throws(UnknownCase) -> [Verdict] {
    let instance = transcript.header.instance
    guard let scenario = catalogue.case(instance.id)?.scenario(instance.row) else {
      throw UnknownCase(instance: instance)
    }
    let evidence = Evidence(transcript: transcript, models: catalogue.models)
    let claims = scenario.claims.filter { $0.dialects?.contains(instance.dialect) ?? true }
    let standing = Standing(transcript: transcript, definition: catalogue.definition)
    let evaluator = AssertionEvaluator(evidence: evidence, checks: checks)
    let witness = standing == .judged ? evaluator.firstFinding(of: scenario.witness) : nil
    return claims.requirements.map { id in
      let outcome = outcome(of: id, claims: claims, standing: standing, witness: witness, evaluator: evaluator)
      return Verdict(instance: instance, requirement: id, outcome: outcome, clock: transcript.header.clock)
    }
  }

  private func outcome(
    of id: RequirementID, claims: [Claim], standing: Standing, witness: Finding?, evaluator: AssertionEvaluator
  ) -> Verdict.Outcome {
    let subject = evaluator.evidence.transcript.header.subject
    if let condition = catalogue.requirement(id)?.condition, !subject.capabilities.contains(condition) {
      return .notApplicable(reason: catalogue.definition.reason(forLacking: condition))
    }
    let own = claims.filter { $0.requirement == id }
    switch standing {
    case .unjudged(let reason):
      // A subject that died stopped the case, and the claim that it must not is the one that can still be judged.
      let deaths = own.filter { $0.assertion == .survives }.flatMap { evaluator.findings(of: $0.assertion) }
      return deaths.isEmpty ? .unjudged(reason: reason) : .violates(deaths)
    case .notApplicable(let reason): return .notApplicable(reason: reason)
    case .lacking(let finding): return .violates([finding])
    case .judged: break
    }
    let findings = own.flatMap { evaluator.findings(of: $0.assertion) }
    if !findings.isEmpty { return .violates(findings) }
    if let witness { return .unjudged(reason: "the case did not reach what it is about: \(witness)") }
    if !subject.isHonest {
      return .unjudged(reason: "the adapter answered a made-up command as if it knew it, so its word proves nothing")
    }
    return .conforms
  }
}

/// Whether a transcript can be judged at all.
private enum Standing: Hashable {
  case judged
  case unjudged(String)
  case notApplicable(String)
  /// The subject lacks a capability that every subject must have.
  case lacking(Finding)

  init(transcript: Transcript, definition: ProtocolDefinition) {
    guard let ending = transcript.ending else {
      self = .unjudged("the transcript stops before the case ended")
      return
    }
    switch ending.kind {
    case .completed: self = .judged
    case .unsupported:
      let capability = definition.capability(ending.text)
      if capability?.isRequired == true {
        self = .lacking(.missing(capability: ending.text))
      } else {
        self = .notApplicable(definition.reason(forLacking: ending.text))
      }
    case .preconditionFailed: self = .unjudged("the case did not reach what it is about: \(ending.text)")
    default: self = .unjudged(ending.text.isEmpty ? ending.kind.rawValue : ending.text)
    }
  }
}

extension ProtocolDefinition {
  /// Why something does not apply to a subject without a capability; for a server, what would give it.
  fileprivate func reason(forLacking name: String) -> String {
    guard let capability = capability(name), capability.role == .server else {
      return "the subject does not declare the capability '\(name)'"
    }
    let hooks = commands(of: .server).filter { $0.capability == name }.map { "hooks.\($0.name)" }
    let values = self.values.filter { $0.capability == name }.map { "values.\($0.name)" }
    let members = hooks + values + (capability.isClientAddress ? ["clientAddressHeader"] : [])
    return "the server is not provisioned with '\(name)': its provisioning file has to give "
      + members.formatted
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`.
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}

extension [Claim] {
  /// The requirements that the claims are about, each once, in order.
  var requirements: [RequirementID] {
    var seen: Set<RequirementID> = []
    return map(\.requirement).filter { seen.insert($0).inserted }
  }
}
