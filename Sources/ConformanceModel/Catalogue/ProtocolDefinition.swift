import JSONKit
import Templates

/// The content of `spec/<protocol>/protocol.yaml`, which describes a protocol as a whole.
package struct ProtocolDefinition: Hashable, Sendable {
  /// A feature of the protocol, which is a row of the parity matrix.
  package struct Feature: Hashable, Sendable {
    package var number: Int
    package var name: String

    package init(number: Int, name: String) {
      self.number = number
      self.name = name
    }
  }

  /// A set of exchanges behind one base URL.
  package struct Service: Hashable, Sendable {
    package var name: ServiceName
    package var text: String

    package init(name: ServiceName, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// A role that can be under test, with the ports between the kit and a subject of this role.
  package struct RoleDefinition: Hashable, Sendable {
    package var role: Role
    package var ports: Ports

    package init(role: Role, ports: Ports) {
      self.role = role
      self.ports = ports
    }
  }

  /// A span of time that cases refer to by its name.
  package struct Patience: Hashable, Sendable {
    package var name: String
    package var time: LogicalTime
    /// The reason for the length of the span.
    package var text: String

    package init(name: String, time: LogicalTime, text: String) {
      self.name = name
      self.time = time
      self.text = text
    }
  }

  /// A named list of requirements.
  package struct Profile: Hashable, Sendable {
    package var name: String
    package var text: String
    /// The ids of the requirements; `*` matches any text.
    package var requirements: [String]

    package init(name: String, text: String, requirements: [String]) {
      self.name = name
      self.text = text
      self.requirements = requirements
    }
  }

  /// A host name with which subjects reach the mock servers on the loopback address.
  package struct Host: Hashable, Sendable {
    package var name: String
    /// The requirement that a subject violates if it rejects an address with this name.
    package var requirement: RequirementID

    package init(name: String, requirement: RequirementID) {
      self.name = name
      self.requirement = requirement
    }
  }

  /// A fact about the app's surroundings, which the adapter gets at launch, and which the step `surroundings` can
  /// change.
  package struct Surrounding: Hashable, Sendable {
    package var name: String
    package var text: String
    /// The JSON Schema of the fact's value.
    package var schema: JSON

    package init(name: String, text: String, schema: JSON) {
      self.name = name
      self.text = text
      self.schema = schema
    }
  }

  /// The commands and facts that mark the phases of an app's life.
  package struct Moments: Hashable, Sendable {
    /// The commands that set up the subject.
    package var setUp: [String]
    /// The commands that delete stored data.
    package var clear: [String]
    /// The commands that undo the set-up of the subject.
    package var reset: [String]
    /// Templates. A command whose parameters match one, or surroundings that match one, disconnect the network.
    package var offline: [Template]
    /// The requirements about calls before the set-up. Only cases of these requirements register callbacks so early.
    package var early: [RequirementID]

    package init(
      setUp: [String] = [], clear: [String] = [], reset: [String] = [], offline: [Template] = [],
      early: [RequirementID] = []
    ) {
      self.setUp = setUp
      self.clear = clear
      self.reset = reset
      self.offline = offline
      self.early = early
    }
  }

  /// Something that a subject may be able to do. A subject that lacks a required capability violates each requirement
  /// in ``requirements``. One case of each dialect reports this.
  ///
  /// The adapter of a driven subject declares its capabilities. The capabilities of any other subject follow from its
  /// provisioning.
  package struct Capability: Hashable, Sendable {
    package var name: String
    /// The roles whose subjects may have the capability.
    package var roles: [Role]
    package var isRequired: Bool
    package var text: String
    /// Whether the capability means that the server reads the address of its client from a header field.
    package var isClientAddress: Bool
    /// Whether the capability means that the subject trusts the authority of a run, and resolves the host names of the
    /// kit's services.
    package var isTrust: Bool
    /// The requirements that a subject violates if it lacks the capability.
    package var requirements: [RequirementID]

    package init(
      name: String, roles: [Role], isRequired: Bool, text: String, isClientAddress: Bool = false, isTrust: Bool = false,
      requirements: [RequirementID] = []
    ) {
      self.name = name
      self.roles = roles
      self.isRequired = isRequired
      self.text = text
      self.isClientAddress = isClientAddress
      self.isTrust = isTrust
      self.requirements = requirements
    }
  }

  /// A command that the kit sends to an adapter, or that an operator performs on a server.
  package struct Command: Hashable, Sendable {
    package var name: String
    /// The roles whose cases may use the command.
    package var roles: [Role]
    package var text: String
    /// A subject with the first of these capabilities must support the command; a subject with another one may support
    /// it. Empty if every adapter supports the command.
    package var capabilities: [String]
    /// The JSON Schema of the parameters (an object).
    package var params: JSON
    /// The JSON Schema of the result.
    package var result: JSON
    /// The JSON Schema of the argument of the callback; nil if the command registers no callback.
    package var callback: JSON?

    package init(
      name: String, roles: [Role], text: String, capabilities: [String] = [], params: JSON, result: JSON,
      callback: JSON? = nil
    ) {
      self.name = name
      self.roles = roles
      self.text = text
      self.capabilities = capabilities
      self.params = params
      self.result = result
      self.callback = callback
    }
  }

  /// Something that exists in a server before a case begins, such as an API key. Steps refer to it by its name.
  package struct Value: Hashable, Sendable {
    package var name: String
    package var text: String
    /// The capability that a subject has if it is provisioned with the value.
    package var capability: String
    /// Whether the value is a whole number; otherwise it is a text.
    package var isNumber: Bool

    package init(name: String, text: String, capability: String, isNumber: Bool = false) {
      self.name = name
      self.text = text
      self.capability = capability
      self.isNumber = isNumber
    }
  }

  /// The version of the format of `protocol.yaml` that this kit reads.
  package static let formVersion = 2

  package var name: String
  package var title: String
  package var document: String
  package var revision: String
  package var services: [Service]
  /// The host names of the mock servers, the default first.
  package var hosts: [Host]
  package var roles: [RoleDefinition]
  package var dialects: [Dialect]
  package var features: [Feature]
  package var capabilities: [Capability]
  package var commands: [Command]
  package var values: [Value]
  package var patience: [Patience]
  package var profiles: [Profile]
  package var surroundings: [Surrounding]
  package var moments: Moments
  /// The kinds of errors with which commands may end. No other kinds are allowed.
  package var errorKinds: [String]
  /// The names of header fields, body members and command parameters whose values are always redacted in evidence.
  package var secrets: [String]
  /// The kinds of certificates that the protocol offers.
  package var certification: [CertificationTier]
  /// Maps each requirement under dispute to the reason of the dispute. Verdicts about them do not count for a
  /// certificate.
  package var disputed: [RequirementID: String]

  package init(
    name: String, title: String, document: String, revision: String, services: [Service], roles: [RoleDefinition],
    dialects: [Dialect], features: [Feature] = [], capabilities: [Capability] = [], commands: [Command] = [],
    values: [Value] = [], patience: [Patience] = [], profiles: [Profile] = [], surroundings: [Surrounding] = [],
    moments: Moments = Moments(), errorKinds: [String] = [], secrets: [String] = [], hosts: [Host] = [],
    certification: [CertificationTier] = [], disputed: [RequirementID: String] = [:]
  ) {
    self.name = name
    self.title = title
    self.document = document
    self.revision = revision
    self.services = services
    self.hosts = hosts
    self.roles = roles
    self.dialects = dialects
    self.features = features
    self.capabilities = capabilities
    self.commands = commands
    self.values = values
    self.patience = patience
    self.profiles = profiles
    self.surroundings = surroundings
    self.moments = moments
    self.errorKinds = errorKinds
    self.secrets = secrets
    self.certification = certification
    self.disputed = disputed
  }
}

extension ProtocolDefinition {
  /// The ports of a role; empty ports for a role that the protocol does not have.
  package func ports(of role: Role) -> Ports { roles.first { $0.role == role }?.ports ?? Ports() }

  /// The names of the roles, in the order of `protocol.yaml`.
  package var roleNames: [Role] { roles.map(\.role) }

  /// The roles that an adapter drives.
  package var drivenRoles: [Role] { roles.filter(\.ports.hasDriver).map(\.role) }

  /// The roles of the subjects that take part if this role is under test. A role with a driver and services has two
  /// subjects. The driven subject has the role that has a driver but offers no services; the called subject has the
  /// role that offers the same services but has no driver. If the protocol has no such role, the subject has the role
  /// under test itself.
  package func parts(of role: Role) -> (driven: Role?, called: Role?) {
    let ports = ports(of: role)
    guard ports.hasDriver, !ports.downstream.isEmpty else {
      return ports.hasDriver ? (role, nil) : (nil, ports.downstream.isEmpty ? nil : role)
    }
    let driven = roles.first { $0.ports.hasDriver && $0.ports.downstream.isEmpty }?.role
    let called = roles.first { !$0.ports.hasDriver && $0.ports.downstream == ports.downstream }?.role
    return (driven ?? role, called ?? role)
  }

  /// The commands that cases of a role may use.
  package func commands(of role: Role) -> [Command] { commands.filter { $0.roles.contains(role) } }
  /// The command with this name that cases of a role may use.
  package func command(_ name: String, of role: Role) -> Command? {
    commands.first { $0.name == name && $0.roles.contains(role) }
  }
  /// The commands of a server's operator, which no adapter receives.
  package var operatorCommands: [Command] {
    let driven = drivenRoles
    return commands.filter { command in !command.roles.contains(where: driven.contains) }
  }
  /// The names of the capabilities that a subject of a role may have.
  package func capabilities(of role: Role) -> [String] { capabilities.filter { $0.roles.contains(role) }.map(\.name) }
  /// The capabilities that a subject of a role needs for the commands in the steps, in addition to the capabilities
  /// that it has. A step `attempt` needs only the capabilities that all of its ways need, because the kit leaves out a
  /// way for which the subject lacks a capability.
  package func capabilities(neededBy steps: [Step], of role: Role, besides own: Set<String>) -> Set<String> {
    steps.reduce(into: []) { needed, step in
      switch step.action {
      case .call(let call):
        let known = command(call.command, of: role)?.capabilities ?? []
        if own.isDisjoint(with: known) { needed.formUnion(known.prefix(1)) }
      case .attempt(let attempt):
        let ways = attempt.ways.map { capabilities(neededBy: $0.steps, of: role, besides: own) }
        needed.formUnion(ways.dropFirst().reduce(ways.first ?? []) { $0.intersection($1) })
      default: needed.formUnion(capabilities(neededBy: step.inner, of: role, besides: own))
      }
    }
  }
  package func capability(_ name: String) -> Capability? { capabilities.first { $0.name == name } }
  /// The span of time with this name.
  package func patience(_ name: String) -> LogicalTime? { patience.first { $0.name == name }?.time }
  /// The kind of certificate with this name.
  package func tier(_ name: String) -> CertificationTier? { certification.first { $0.name == name } }
  package func profile(_ name: String) -> Profile? { profiles.first { $0.name == name } }
}
