import CommandInterface
import ConformanceModel
import ConformanceRunner
import Proof

extension Subjects {
  /// Connects the subjects of a role with a no-op server in place of the called subject. If the role also has an SDK,
  /// this SDK conforms.
  package func idle(
    _ role: Role, _ server: IdleServer, named name: String, beside given: GivenSubjects?
  ) async throws -> Testbed {
    let command = try honestCommand(of: role, given, [])
    let part = catalogue.definition.parts(of: role).called ?? role
    let called =
      catalogue.definition.ports(of: part).isBackend
      ? try await server.asBackend(of: role, named: name, kit: conditions.kit, in: catalogue)
      : try await embeddedServer(name, part) { server.behaviour(in: $0, catalogue) }
    return try await open(role, command, called)
  }
}
