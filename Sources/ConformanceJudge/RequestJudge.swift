import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

/// Judges single requests outside of a case, by the claims of `requests.yaml`.
package struct RequestJudge: Sendable {
  /// A requirement that a request violates, with the findings.
  package struct Violation: Hashable, Sendable {
    package var requirement: RequirementID
    package var findings: [Finding]
  }

  private let catalogue: Catalogue
  private let checks: [String: Check]

  /// - Parameter checks: the checks of the protocol's pack. ``CommonChecks`` are added.
  package init(catalogue: Catalogue, checks: [String: Check]) {
    self.catalogue = catalogue
    self.checks = CommonChecks.all.merging(checks) { _, own in own }
  }

  /// The requirements that a request violates, in the order of the file.
  ///
  /// - Parameters:
  ///   - request: the request, with the exchange that it was matched to.
  ///   - now: the time of the request in the form of cases, such as `2026-03-01T09:00:00.000Z`.
  package func violations(
    of request: RequestRecord, at service: ServiceName, in dialect: Dialect, now: String
  ) -> [Violation] {
    let transcript = Transcript(
      header: header(dialect, now),
      entries: [
        TranscriptEntry(number: 1, at: .zero, event: .request(upstream: service.rawValue, request)),
        TranscriptEntry(number: 2, at: .zero, event: .end(.init(.completed))),
      ])
    let evaluator = AssertionEvaluator(
      evidence: Evidence(transcript: transcript, models: catalogue.models), catalogue: catalogue, checks: checks)
    var violations: [Violation] = []
    for claim in catalogue.everyRequest where claim.dialects?.contains(dialect) ?? true {
      let findings = (try? evaluator.findings(aboutOneRequest: claim.assertion)) ?? []
      if findings.isEmpty { continue }
      if let index = violations.firstIndex(where: { $0.requirement == claim.requirement }) {
        violations[index].findings += findings
      } else {
        violations.append(Violation(requirement: claim.requirement, findings: findings))
      }
    }
    return violations
  }

  private func header(_ dialect: Dialect, _ now: String) -> TranscriptHeader {
    TranscriptHeader(
      kit: "", protocolName: catalogue.definition.name, specRevision: catalogue.definition.revision, role: "any",
      instance: CaseInstance(id: "request", row: nil, dialect: dialect), clock: .real, epoch: 0, seed: 0, subjects: [:],
      bindings: ["now": .string(now)])
  }
}

extension AssertionEvaluator {
  /// The findings of the assertion, for evidence that consists of one request; empty if the assertion is not about this
  /// request.
  fileprivate func findings(aboutOneRequest assertion: Claim.Assertion) throws(Unjudgeable) -> [Finding] {
    for selector in assertion.requestSelectors ?? [] where try !observations(selector).isEmpty {
      return try findings(of: assertion)
    }
    if case .check(let name, _) = assertion, checks[name]?.isAboutEachRequest == true {
      return try findings(of: assertion)
    }
    return []
  }
}
