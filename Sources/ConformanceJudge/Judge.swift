import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// Turns a transcript into verdicts. The same transcript always results in the same verdicts. So the kit can judge
/// stored evidence again, and can use mutated transcripts to test whether claims notice violations.
package struct Judge: Sendable {
  package let catalogue: Catalogue
  package let checks: [String: Check]
  private let lackReports: LackReports

  /// - Parameter checks: the checks of the protocol's pack. ``CommonChecks`` are added.
  package init(catalogue: Catalogue, checks: [String: Check]) {
    self.catalogue = catalogue
    self.checks = CommonChecks.all.merging(checks) { _, own in own }
    lackReports = LackReports(catalogue)
  }

  /// The catalogue does not contain the case of a transcript, or the case does not run in the transcript's dialect.
  package struct UnknownCase: Error, Hashable, Sendable, CustomStringConvertible {
    package var instance: CaseInstance
    /// The dialects of the case; empty if the case does not exist.
    package var dialects: [Dialect] = []

    package var description: String {
      guard dialects.isEmpty else {
        return
          "the case '\(instance.name)' is there in the dialects \(dialects.map(\.rawValue).joined(separator: ", ")), "
          + "and the transcript is of '\(instance.dialect)'"
      }
      return
        "the catalogue has no case '\(instance.name)': it was renamed or withdrawn, or the transcript is of another protocol"
    }
  }

  /// One verdict for each requirement about which the case makes a claim in the transcript's dialect, in the order of
  /// the claims.
  package func verdicts(for transcript: Transcript) throws(UnknownCase) -> [Verdict] {
    let header = transcript.header
    guard let testCase = catalogue.case(header.instance.id), let scenario = testCase.scenario(header.instance.row)
    else {
      throw UnknownCase(instance: header.instance)
    }
    guard testCase.dialects.contains(header.instance.dialect) else {
      throw UnknownCase(instance: header.instance, dialects: testCase.dialects)
    }
    let claims = scenario.claims.filter { $0.dialects?.contains(header.instance.dialect) ?? true }
    guard testCase.digest == header.caseDigest else {
      let reason = "the text of the case is another one now than when this was recorded; run it again"
      return claims.requirements.map { id in
        Verdict(instance: header.instance, requirement: id, outcome: .unjudged(reason: reason), clock: header.clock)
      }
    }
    let evidence = Evidence(transcript: transcript, models: catalogue.models)
    let evaluator = AssertionEvaluator(evidence: evidence, catalogue: catalogue, checks: checks)
    var standing = Standing(transcript: transcript, definition: catalogue.definition)
    let unread = standing.isAboutSubject ? unreadRequest(evaluator) : nil
    let ownStanding = standing
    if let unread { standing = .unjudged(unread.reason) }
    let obstacle = unread ?? (standing.isAboutClaims ? obstacle(in: scenario, evaluator) : nil)
    // The transcript is searched before the case: few servers answer 429, and the search of the case takes longer.
    let limit = evidence.transcript.refusalForVolume.flatMap { scenario.speaks(of: Self.tooMany) ? nil : $0 }
    // If the subject interprets the document differently than a position, it may never send the request that the
    // fault affects. The fault then stays unused.
    let isUnused = transcript.ending?.kind == .faultUnused
    var broken =
      (standing.isAboutClaims || isUnused) && obstacle == nil
      ? brokenAssumptions(of: scenario, in: header.instance.dialect, evaluator) : []
    if isUnused { broken.removeAll { !$0.isPosition } }
    switch standing {
    case .judged: if let obstacle { standing = .unjudged(obstacle.reason) }
    // An assertion that does not hold yet might have held later, so the early end is the reason.
    case .cutShort(let reason) where obstacle != nil || !broken.isEmpty,
      .hindered(let reason) where obstacle != nil || !broken.isEmpty:
      (standing, broken) = (.unjudged(reason), [])
    default: break
    }
    let verdicts = claims.requirements.map { id in
      let own = claims.filter { $0.requirement == id }
      let assumption = broken.first { $0.requirement != id }
      let isAboutForm = unread?.requirements.contains(id) ?? false
      let standing = isAboutForm ? ownStanding : assumption?.standing ?? standing
      let unmet = unmetCondition(of: id, header)
      var outcome: Verdict.Outcome =
        if let unmet { .notApplicable(reason: catalogue.definition.reason(for: .capability(unmet))) } else {
          self.outcome(of: id, own: own, standing: standing, in: scenario, evaluator: evaluator)
        }
      if case .violates = outcome, let limit { outcome = .unjudged(reason: limit) }
      return Verdict(
        instance: header.instance, requirement: id, outcome: outcome, clock: header.clock,
        cause: assumption?.cause ?? obstacle.flatMap { $0.reason == outcome.reason ? $0.cause(besides: id) : nil },
        unmetCondition: unmet)
    }
    return verdicts.contains(where: \.outcome.saysMore) ? verdicts.map(Particulars(transcript).naming) : verdicts
  }

  /// The capability that the requirement presupposes and the subject lacks; nil if the requirement applies to the
  /// subject.
  private func unmetCondition(of id: RequirementID, _ header: TranscriptHeader) -> String? {
    guard let condition = catalogue.requirement(id)?.condition, !header.hasCapability(condition) else { return nil }
    return condition
  }

  /// The HTTP status for too many requests from one client (RFC 6585).
  fileprivate static let tooMany = 429

  /// The reason why a case cannot be judged, and the requirements that the subject violates for this reason. An example
  /// is that the subject did not reach a state in which the case begins.
  struct Obstacle {
    var reason: String
    var requirements: [RequirementID]

    /// The violated requirement because of which a verdict on another requirement is unjudged.
    func cause(besides id: RequirementID) -> RequirementID? { requirements.first { $0 != id } }
  }

  /// The obstacle if a state was not reached, which means that an assertion of the state does not hold at its end. Nil
  /// if all assertions of all states hold.
  private func obstacle(
    in scenario: Case.Scenario, _ evaluator: AssertionEvaluator
  ) -> Obstacle? {
    for state in scenario.given where !state.holds.isEmpty {
      do throws(Unjudgeable) {
        let then = AssertionEvaluator(
          evidence: evaluator.evidence.upToEnd(of: state.state), catalogue: catalogue, checks: checks)
        if let finding = try then.firstFinding(of: state.holds) {
          return Obstacle(reason: state.obstacle("\(finding)"), requirements: state.requirements)
        }
      } catch {
        return Obstacle(reason: "\(error)", requirements: [])
      }
    }
    return nil
  }

  /// A requirement that the case assumes, and that the subject does not keep.
  private struct BrokenAssumption {
    var requirement: RequirementID
    /// The reason why the requirements of the case's claims are not judged.
    var obstacle: String
    /// Whether the requirement is a position: the kit's interpretation of an unclear document. A different
    /// interpretation is not a mistake, so the case is then not applicable to the subject.
    var isPosition: Bool

    var standing: Standing { isPosition ? .notApplicable(obstacle) : .unjudged(obstacle) }
    /// The violated requirement because of which the case is not judged; nil if the requirement is a position.
    var cause: RequirementID? { isPosition ? nil : requirement }
  }

  /// The assumptions that do not hold. The result begins with the assumptions about positions.
  private func brokenAssumptions(
    of scenario: Case.Scenario, in dialect: Dialect, _ evaluator: AssertionEvaluator
  ) -> [BrokenAssumption] {
    let broken = scenario.assumes.filter { $0.dialects?.contains(dialect) ?? true }
      .compactMap { claim -> BrokenAssumption? in
        let isPosition = catalogue.requirement(claim.requirement)?.basis == .position
        do throws(Unjudgeable) {
          guard let finding = try evaluator.firstFinding(of: [claim.assertion]) else { return nil }
          let obstacle =
            isPosition
            ? "the subject reads the document otherwise than \(claim.requirement) does: \(finding)"
            : "\(claim.requirement) is violated, which this case assumes: \(finding)"
          return BrokenAssumption(requirement: claim.requirement, obstacle: obstacle, isPosition: isPosition)
        } catch {
          return BrokenAssumption(requirement: claim.requirement, obstacle: "\(error)", isPosition: false)
        }
      }
    return broken.filter(\.isPosition) + broken.filter { !$0.isPosition }
  }

  private func outcome(
    of id: RequirementID, own: [Claim], standing: Standing, in scenario: Case.Scenario, evaluator: AssertionEvaluator
  ) -> Verdict.Outcome {
    let header = evaluator.evidence.transcript.header
    guard catalogue.requirement(id) != nil else {
      return .unjudged(reason: "kit: the catalogue has no requirement \(id)")
    }
    do throws(Unjudgeable) {
      switch standing {
      case .unjudged(let reason), .cutShort(let reason):
        // If the subject died or its requests were refused, the case was stopped. A claim about the death or the
        // refusal is still judged.
        var findings = try certainFindings(of: own, evaluator)
        if case .cutShort = standing { findings += own.flatMap { evaluator.excess(of: $0.assertion) } }
        return findings.isEmpty ? .unjudged(reason: reason) : .violates(findings)
      case .hindered(let reason):
        var certain: [Finding] = []
        for claim in own {
          certain += try evaluator.findings(of: claim.assertion).filter { !$0.mayBeLateness }
        }
        let isReached = try evaluator.firstFinding(of: scenario.witness) == nil
        return certain.isEmpty || !isReached ? .unjudged(reason: reason) : .violates(certain)
      case .notApplicable(let reason): return .notApplicable(reason: reason)
      case .lacking(let name): return lacking(name, id, header)
      case .judged: return try judged(id, own, scenario, evaluator)
      }
    } catch {
      return .unjudged(reason: "\(error)")
    }
  }

  /// The findings that are certain even if the case was not finished: findings about the unexpected end of a process,
  /// and about the form of a request.
  private func certainFindings(
    of own: [Claim], _ evaluator: AssertionEvaluator
  ) throws(Unjudgeable) -> [Finding] {
    var findings: [Finding] = []
    for claim in own {
      switch claim.assertion {
      case .survives: findings += try evaluator.findings(of: claim.assertion)
      case .check(let name, _) where checks[name]?.isAboutEachRequest == true:
        // The check throws if the transcript has no request of its kind. Such a transcript has no findings.
        findings += (try? evaluator.findings(of: claim.assertion)) ?? []
      default: break
      }
    }
    return findings
  }

  /// The outcome for a requirement if the subject lacks a required capability. The protocol lists the requirements that
  /// such a subject violates. In each dialect, only one case reports the violation of such a requirement (see
  /// ``LackReports``). In the other cases, the requirement is not applicable.
  private func lacking(_ name: String, _ id: RequirementID, _ header: TranscriptHeader) -> Verdict.Outcome {
    if header.hasCapability(name) {
      return .unjudged(
        reason: "the adapter declares the capability '\(name)' and answers 'unsupported' to a command of it")
    }
    let needs = catalogue.case(header.instance.id)?.needs ?? []
    let missing = needs.filter { !header.hasCapability($0) }
    guard let reported = lackReports.lack(in: header.instance, of: id, lacking: missing) else {
      return .notApplicable(reason: catalogue.definition.reason(for: .capability(name)))
    }
    return .violates([.missing(capability: reported)])
  }

  /// Whether the requirement is a position that the kit only records, for example because the user switched it off. A
  /// subject with another interpretation may never reach what a case about the position judges.
  private func isOpenPosition(_ id: RequirementID) -> Bool {
    guard let requirement = catalogue.requirement(id) else { return false }
    return requirement.basis == .position && requirement.level == .observe
  }

  private func judged(
    _ id: RequirementID, _ own: [Claim], _ scenario: Case.Scenario, _ evaluator: AssertionEvaluator
  ) throws(Unjudgeable) -> Verdict.Outcome {
    var findings = try certainFindings(of: own, evaluator)
    if !findings.isEmpty { return .violates(findings) }
    if let missing = try evaluator.firstFinding(of: scenario.witness) {
      let reason = "the case did not reach what it is about: \(missing)"
      return isOpenPosition(id) ? .notApplicable(reason: reason) : .unjudged(reason: reason)
    }
    var obstacle: Unjudgeable?
    for claim in own {
      do throws(Unjudgeable) {
        findings += try evaluator.findings(of: claim.assertion)
      } catch {
        guard error.leavesOthers else { throw error }
        obstacle = error
      }
    }
    if !findings.isEmpty { return .violates(findings) }
    if let obstacle { throw obstacle }
    if let alike = try evaluator.firstFinding(of: scenario.controls) {
      return .unjudged(reason: "a control of the case does not hold, so a pass proves nothing: \(alike)")
    }
    if !evaluator.evidence.transcript.header.isHonest {
      return .unjudged(reason: "the adapter answered a made-up command as if it knew it, so its word proves nothing")
    }
    return .conforms
  }
}

extension Verdict.Outcome {
  /// Whether the outcome has a text, which may contain values that occur only in this run.
  fileprivate var saysMore: Bool {
    switch self {
    case .violates, .unjudged: true
    case .conforms, .notApplicable: false
    }
  }
}

extension Case.Scenario {
  /// Whether an assertion of the scenario mentions this HTTP status.
  fileprivate func speaks(of status: Int) -> Bool {
    (claims.map(\.assertion) + witness + controls).contains { assertion in
      switch assertion {
      case .returns(let outcomes): outcomes.contains { $0.template.source.holds(.int(status)) }
      case .matches(_, _, let template): template.source.holds(.int(status))
      case .never(let selector), .count(let selector, _): selector.filter?.source.holds(.int(status)) ?? false
      default: false
      }
    }
  }
}

extension Transcript {
  /// The reason why the server's answers cannot be judged: the server refused requests because the kit sent too many.
  fileprivate var refusalForVolume: String? {
    for entry in entries {
      guard case .received(_, let response) = entry.event, response.status == Judge.tooMany else { continue }
      return "the server answered 429 (entry \(entry.number)): the kit asks more often than it lets one client ask. "
        + "Give clientAddressHeader, so that each case is a client of its own, or raise the limit while the kit runs"
    }
    return nil
  }
}

extension JSON {
  /// Whether `value` is equal to this value, or occurs inside it.
  fileprivate func holds(_ value: JSON) -> Bool {
    switch self {
    case .array(let elements): elements.contains { $0.holds(value) }
    case .object(let object): object.members.contains { $0.value.holds(value) }
    default: isEquivalent(to: value)
    }
  }
}

/// How far a transcript can be judged.
private enum Standing: Hashable {
  case judged
  case unjudged(String)
  /// The case used the virtual clock, and was stopped at a limit of time or evidence. Only findings about too many
  /// observations count. With a running clock such a case is unjudged.
  case cutShort(String)
  /// Every step ran, but the machine delayed the kit. Only findings that lateness cannot explain count.
  case hindered(String)
  case notApplicable(String)
  /// The subject lacks a required capability.
  case lacking(String)

  init(transcript: Transcript, definition: ProtocolDefinition) {
    guard let ending = transcript.ending else {
      self = .unjudged("the transcript stops before the case ended")
      return
    }
    switch ending.kind {
    case .completed: self = .judged
    case .unsupported:
      let lack = Lack(ending.text)
      if case .capability(let name) = lack, definition.capability(name)?.isRequired == true {
        self = .lacking(name)
      } else {
        self = .notApplicable(definition.reason(for: lack))
      }
    case .preconditionFailed: self = .unjudged("the case did not reach what it is about: \(ending.text)")
    case .kitError: self = .unjudged("kit: \(ending.text)")
    case .machine where ending.isHindered: self = .hindered(ending.reason)
    case .timeLimit, .evidenceLimit, .adapterHung:
      self = transcript.header.clock == .virtual ? .cutShort(ending.reason) : .unjudged(ending.reason)
    default: self = .unjudged(ending.reason)
    }
  }

  /// Whether the case is applicable to the subject.
  var isAboutSubject: Bool {
    switch self {
    case .judged, .unjudged, .cutShort, .hindered: true
    case .notApplicable, .lacking: false
    }
  }

  /// Whether the claims of the case are judged, at least in part.
  var isAboutClaims: Bool {
    switch self {
    case .judged, .cutShort, .hindered: true
    case .unjudged, .notApplicable, .lacking: false
    }
  }
}

extension TranscriptEntry.Ending {
  /// The reason why the case ended: its text, or the name of its kind.
  fileprivate var reason: String { text.isEmpty ? kind.rawValue : text }
}

extension ProtocolDefinition {
  /// The reason why a requirement is not applicable to a subject with this lack.
  fileprivate func reason(for lack: Lack) -> String {
    switch lack {
    case .capability(let name): reason(forLacking: name)
    case .dialect(let dialect): "the subject does not speak the dialect \(dialect)"
    case .virtualClock(let span):
      "the case lets \(span) pass, and the clock runs: an adapter with the clock 'virtual' is judged by it"
    case .host(.kill): "the case kills the process of the app, and the adapter cannot be killed where it runs"
    case .host(.files): "the case searches the files of the app, and they are not on the kit's machine"
    }
  }

  /// The reason why a requirement is not applicable to a subject without this capability. If members of the
  /// provisioning file can provide the capability, the text names them.
  package func reason(forLacking name: String) -> String {
    let hooks = operatorCommands.filter { $0.capabilities.contains(name) }.map { "hooks.\($0.name)" }
    let values = self.values.filter { $0.capability == name }.map { "values.\($0.name)" }
    let isAddress = capability(name)?.isClientAddress ?? false
    let members = hooks + values + (isAddress ? ["clientAddressHeader"] : [])
    guard !members.isEmpty else {
      return "the subject does not have the capability '\(name)'"
    }
    return "the server is not provisioned with '\(name)': its provisioning file has to give " + members.formatted
  }
}

extension [String] {
  /// The elements as a list in a sentence: `a`, `a and b`, or `a, b and c`.
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}

extension [Claim] {
  /// The requirements of the claims, each of them once, in the order of the claims.
  var requirements: [RequirementID] {
    var seen: Set<RequirementID> = []
    return map(\.requirement).filter { seen.insert($0).inserted }
  }
}
