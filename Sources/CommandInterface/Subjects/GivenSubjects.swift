import ConformanceModel
import Processes

/// Conforming subjects of other authors, with which a suite is proven: an SDK, a server or backend, or a chain of both.
package struct GivenSubjects {
  var sdk: ProgramCommand?
  package var called: CalledSubject?
  /// The roles that the subjects play.
  package var roles: [Role]

  package init(sdk: ProgramCommand? = nil, called: CalledSubject? = nil, roles: [Role]) {
    self.sdk = sdk
    self.called = called
    self.roles = roles
  }

  /// Whether the kit starts a subject, so that an environment variable can switch on a defect in that subject.
  package var canBeTold: Bool { sdk != nil || called?.provisioning.start != nil }

  /// A copy of these subjects. The kit starts their programs with these additional environment variables.
  package func started(with variables: [String: String]) -> GivenSubjects {
    var subjects = self
    subjects.sdk?.environment.merge(variables) { _, own in own }
    subjects.called = called?.started(with: variables)
    return subjects
  }

  /// The words by which reports refer to the subject of a role.
  package func name(of role: Role) -> String { called == nil ? "the SDK" : "the \(role)" }

  /// The dialects in which the called subject is tested: the dialect in its file, otherwise the first dialect of the
  /// protocol. The array is empty without a called subject.
  package func dialects(of definition: ProtocolDefinition) -> [Dialect] {
    guard let called else { return [] }
    return called.provisioning.dialect.map { [$0] } ?? Array(definition.dialects.prefix(1))
  }
}
