import ConformanceModel
import Processes

/// Honest third-party subjects for the proof of a suite: an SDK, a called subject, or both as a chain.
package struct GivenSubjects {
  var sdk: ProgramCommand?
  package var called: CalledSubject?
  /// The roles that they play.
  package var roles: [Role]

  package init(sdk: ProgramCommand? = nil, called: CalledSubject? = nil, roles: [Role]) {
    self.sdk = sdk
    self.called = called
    self.roles = roles
  }

  /// Whether the kit starts one of them, so that a variable can switch on a defect in it.
  package var canBeTold: Bool { sdk != nil || called?.provisioning.start != nil }

  /// A copy that is started with these additional variables.
  package func started(with variables: [String: String]) -> GivenSubjects {
    var subjects = self
    subjects.sdk?.environment.merge(variables) { _, own in own }
    subjects.called = called?.started(with: variables)
    return subjects
  }

  /// The name of a role's subject in a report.
  package func name(of role: Role) -> String { called == nil ? "the SDK" : "the \(role)" }

  /// The dialects that the called subject is tested in; empty for all.
  package func dialects(of definition: ProtocolDefinition) -> [Dialect] {
    guard let called else { return [] }
    return called.provisioning.dialect.map { [$0] } ?? Array(definition.dialects.prefix(1))
  }
}
