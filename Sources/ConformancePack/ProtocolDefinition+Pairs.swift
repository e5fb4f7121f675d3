import ConformanceModel

extension ProtocolDefinition {
  /// Whether a role is a pair: an SDK and a server that exchange messages through the kit. In a pair, the kit plays a
  /// service for the SDK and calls the same service of the server, and the server itself calls no service.
  package func isPair(_ role: Role) -> Bool {
    let (ports, parts) = (ports(of: role), parts(of: role))
    guard parts.driven != nil, let called = parts.called, !callsServices(called) else { return false }
    return !Set(ports.upstream).isDisjoint(with: ports.downstream)
  }

  /// The role of the subject that the kit calls in a role: for a pair, the role of the server; otherwise the role
  /// itself.
  package func calledRole(of role: Role) -> Role { isPair(role) ? parts(of: role).called ?? role : role }

  /// The roles whose requirements and capabilities a case may name: for a pair, the role and the roles of both
  /// subjects; otherwise only the role.
  package func boundRoles(of role: Role) -> [Role] { isPair(role) ? subjectRoles(of: role) : [role] }

  /// The role itself, and the roles of the SDK and the server or backend if two subjects play the role together.
  package func subjectRoles(of role: Role) -> [Role] {
    let parts = parts(of: role)
    return [role, parts.driven, parts.called].compactMap(\.self)
  }

  /// Whether the subjects of a role call services.
  package func callsServices(_ role: Role) -> Bool { !ports(of: role).upstream.isEmpty }
}
