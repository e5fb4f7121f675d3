import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict

extension Judge {
  /// The obstacle of the first request that no server could read because of its form, with the requirements that this
  /// form violates. The events after this request show nothing about other requirements. Nil if all requests can be
  /// read, or if no unreadable request violates a requirement by its form.
  func unreadRequest(_ evaluator: AssertionEvaluator) -> Obstacle? {
    let unread = evaluator.evidence.transcript.entries.filter { $0.event.problemOfForm != nil }
    guard !unread.isEmpty else { return nil }
    let forms = catalogue.everyRequest.compactMap { claim -> (requirement: RequirementID, entries: Set<Int>)? in
      guard case .check(let name, _) = claim.assertion, checks[name]?.isAboutEachRequest == true else { return nil }
      let findings = (try? evaluator.findings(of: claim.assertion)) ?? []
      return (claim.requirement, Set(findings.flatMap(\.entries)))
    }
    for entry in unread {
      let broken = forms.filter { $0.entries.contains(entry.number) }.map(\.requirement)
      guard !broken.isEmpty, let problem = entry.event.problemOfForm else { continue }
      // A requirement of the protocol that demands the same form is judged, too.
      let including = catalogue.requirements.filter { !Set($0.includes).isDisjoint(with: broken) }.map(\.id)
      return Obstacle(reason: "\(Verdict.Outcome.unreadable): \(problem)", requirements: broken + including)
    }
    return nil
  }
}

extension TranscriptEntry.Event {
  /// The reason why a server cannot read this request: it is not HTTP, or its body should be JSON and is not.
  fileprivate var problemOfForm: String? {
    switch self {
    case .malformed(_, _, let reason, _): reason
    case .request(_, let record)
    where JudgedRequest.isJSON(record.headers, record.body.bytes) && record.body.toleratedJSON == nil:
      record.body.reasonNotJSON ?? "the body is not JSON"
    default: nil
    }
  }
}
