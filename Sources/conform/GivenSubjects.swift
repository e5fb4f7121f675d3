import ConformanceBench
import ConformanceModel

/// Honest subjects of somebody else's that a suite is proven with: an SDK, one that is called, or both as a chain.
struct GivenSubjects {
  var sdk: AdapterCommand?
  var called: CalledSubject?
  /// The roles that they play.
  var roles: [Role]

  /// Whether something of them can be told what to do wrong when it starts.
  var canBeTold: Bool { sdk != nil || called?.provisioning.start != nil }

  /// The same, started with these variables besides.
  func started(with variables: [String: String]) -> GivenSubjects {
    var subjects = self
    subjects.sdk?.environment.merge(variables) { _, own in own }
    subjects.called = called?.started(with: variables)
    return subjects
  }

  /// What they are called in a report.
  func name(of role: Role) -> String { called == nil ? "the SDK" : "the \(role)" }

  /// The dialects in which the one that is called is asked; none stands for all.
  func dialects(of definition: ProtocolDefinition) -> [Dialect] {
    guard let called else { return [] }
    return called.provisioning.dialect.map { [$0] } ?? Array(definition.dialects.prefix(1))
  }
}
