import ConformanceModel

extension ProtocolDefinition {
  /// Whether a role is a pair: an SDK and a server that exchange messages through the kit. The SDK calls a service that
  /// the kit plays, and the kit calls the same service of the server. The server itself calls no service.
  package func isPair(_ role: Role) -> Bool {
    let (ports, parts) = (ports(of: role), parts(of: role))
    guard parts.driven != nil, let called = parts.called, !callsServices(called) else { return false }
    return !Set(ports.upstream).isDisjoint(with: ports.downstream)
  }

  /// The role of the subject that the kit calls if this role is under test: for a pair, the role of the server;
  /// otherwise the role itself.
  package func calledRole(of role: Role) -> Role { isPair(role) ? parts(of: role).called ?? role : role }

  /// The roles whose requirements and capabilities a case may name: for a pair, the role itself and the roles of both
  /// subjects; otherwise only the role itself.
  package func boundRoles(of role: Role) -> [Role] { isPair(role) ? subjectRoles(of: role) : [role] }

  /// The role itself. If two subjects play the role together, also the role of the SDK and the role of the server or
  /// backend.
  package func subjectRoles(of role: Role) -> [Role] {
    let parts = parts(of: role)
    return [role, parts.driven, parts.called].compactMap(\.self)
  }

  /// Whether the subjects of a role call services.
  package func callsServices(_ role: Role) -> Bool { !ports(of: role).upstream.isEmpty }
}
