import JSONKit

/// What `spec/<protocol>/protocol.yaml` says of a protocol as a whole.
package struct ProtocolDefinition: Hashable, Sendable {
  /// A row of the parity matrix.
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

  /// What is under test, and the ports that the kit plays around it.
  package struct RoleDefinition: Hashable, Sendable {
    package var role: Role
    package var ports: Ports

    package init(role: Role, ports: Ports) {
      self.role = role
      self.ports = ports
    }
  }

  /// A span of time that cases name instead of spelling it.
  package struct Patience: Hashable, Sendable {
    package var name: String
    package var time: LogicalTime
    /// Why it is so long.
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
    /// Ids of requirements; `*` stands for any text.
    package var requirements: [String]

    package init(name: String, text: String, requirements: [String]) {
      self.name = name
      self.text = text
      self.requirements = requirements
    }
  }

  /// A name under which a subject may find the mock servers, which all listen on loopback.
  package struct Host: Hashable, Sendable {
    package var name: String
    /// The rule that a subject breaks which does not take an address of this name.
    package var requirement: RequirementID

    package init(name: String, requirement: RequirementID) {
      self.name = name
      self.requirement = requirement
    }
  }

  /// A fact about the app's surroundings, given at launch and changed by the step `surroundings`.
  package struct Surrounding: Hashable, Sendable {
    package var name: String
    package var text: String
    /// JSON Schema of its value.
    package var schema: JSON

    package init(name: String, text: String, schema: JSON) {
      self.name = name
      self.text = text
      self.schema = schema
    }
  }

  /// What tells the parts of an app's life apart.
  package struct Moments: Hashable, Sendable {
    /// The commands that set the subject up.
    package var setUp: [String]
    /// Those that wipe what it has stored.
    package var clear: [String]
    /// Those that return it to what it was before it was set up.
    package var reset: [String]
    /// What a command or the surroundings say where the network is gone.
    package var offline: [Template]
    /// The requirements that are about calls before the set-up: their cases alone register callbacks so early.
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

  /// Something a subject may be able to do; the lack of a required one violates the requirements it lists, once each.
  ///
  /// What a driven subject can do its adapter declares. What can be done with any other follows from what is lent.
  package struct Capability: Hashable, Sendable {
    package var name: String
    /// The roles whose subjects may have it.
    package var roles: [Role]
    package var isRequired: Bool
    package var text: String
    /// Whether it is that the server believes a header field about the address of its client.
    package var isClientAddress: Bool
    /// Whether it is that the subject trusts the authority of a run and finds the names that the kit gives its services.
    package var isTrust: Bool
    /// The requirements that a subject violates by lacking it.
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

  /// A command: of the adapter vocabulary, or for an operator of a server.
  package struct Command: Hashable, Sendable {
    package var name: String
    /// The roles in whose cases it can be called.
    package var roles: [Role]
    package var text: String
    /// The capabilities it belongs to; none for commands every adapter has.
    package var capabilities: [String]
    /// JSON Schema of its parameters (an object).
    package var params: JSON
    /// JSON Schema of its result.
    package var result: JSON
    /// JSON Schema of what is handed to the callback whose handle it takes; nil for a command that calls nothing back.
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

  /// Something that is there in a server before a case begins; steps of cases refer to it by its name.
  package struct Value: Hashable, Sendable {
    package var name: String
    package var text: String
    /// The capability it belongs to.
    package var capability: String

    package init(name: String, text: String, capability: String) {
      self.name = name
      self.text = text
      self.capability = capability
    }
  }

  /// The version of the form of all files of this kit.
  package static let formVersion = 2

  package var name: String
  package var title: String
  package var document: String
  package var revision: String
  package var services: [Service]
  /// The names of the mock servers, the usual one first.
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
  /// The closed list of kinds a command's error may have.
  package var errorKinds: [String]
  /// Header fields, body members and command parameters whose values never reach evidence unredacted.
  package var secrets: [String]
  /// The kinds of certificates that the protocol offers.
  package var certification: [CertificationTier]

  package init(
    name: String, title: String, document: String, revision: String, services: [Service], roles: [RoleDefinition],
    dialects: [Dialect], features: [Feature] = [], capabilities: [Capability] = [], commands: [Command] = [],
    values: [Value] = [], patience: [Patience] = [], profiles: [Profile] = [], surroundings: [Surrounding] = [],
    moments: Moments = Moments(), errorKinds: [String] = [], secrets: [String] = [], hosts: [Host] = [],
    certification: [CertificationTier] = []
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
  }
}

extension ProtocolDefinition {
  /// The ports of a role; none for one that the protocol does not have.
  package func ports(of role: Role) -> Ports { roles.first { $0.role == role }?.ports ?? Ports() }

  /// The names of the roles, in their order.
  package var roleNames: [Role] { roles.map(\.role) }

  /// Whether the protocol has the service.
  package func hasService(_ name: ServiceName) -> Bool { services.contains { $0.name == name } }

  /// The service that needs no name, where there is only one that offers anything.
  package var onlyService: ServiceName? { services.count == 1 ? services[0].name : nil }

  /// The roles that an adapter drives.
  package var drivenRoles: [Role] { roles.filter(\.ports.hasDriver).map(\.role) }

  /// The subjects that take part where one of this role is under test: a role with a driver and an offer of its own is
  /// played by one that is driven and one that is called, each of the role that is only that.
  package func parts(of role: Role) -> (driven: Role?, called: Role?) {
    let ports = ports(of: role)
    guard ports.hasDriver, !ports.downstream.isEmpty else {
      return ports.hasDriver ? (role, nil) : (nil, ports.downstream.isEmpty ? nil : role)
    }
    let driven = roles.first { $0.ports.hasDriver && $0.ports.downstream.isEmpty }?.role
    let called = roles.first { !$0.ports.hasDriver && $0.ports.downstream == ports.downstream }?.role
    return (driven ?? role, called ?? role)
  }

  /// The commands that cases of a role can call.
  package func commands(of role: Role) -> [Command] { commands.filter { $0.roles.contains(role) } }
  /// The command that cases of a role call by this name.
  package func command(_ name: String, of role: Role) -> Command? {
    commands.first { $0.name == name && $0.roles.contains(role) }
  }
  /// What an operator can do to a server: the commands that no adapter takes.
  package var operatorCommands: [Command] {
    let driven = drivenRoles
    return commands.filter { command in !command.roles.contains(where: driven.contains) }
  }
  /// The names of what a subject of a role may be able to do.
  package func capabilities(of role: Role) -> [String] {
    capabilities.filter { $0.roles.contains(role) }.map(\.name)
  }
  /// The capabilities without which steps of a role cannot be played: those of the commands that they call. A way of an
  /// attempt is left out where one of its own is lacking, so that an attempt needs what each of its ways does.
  package func capabilities(neededBy steps: [Step], of role: Role) -> Set<String> {
    steps.reduce(into: []) { needed, step in
      switch step.action {
      case .call(let call): needed.formUnion(command(call.command, of: role)?.capabilities ?? [])
      case .attempt(let attempt):
        let ways = attempt.ways.map { capabilities(neededBy: $0.steps, of: role) }
        needed.formUnion(ways.dropFirst().reduce(ways.first ?? []) { $0.intersection($1) })
      default: needed.formUnion(capabilities(neededBy: step.inner, of: role))
      }
    }
  }
  /// The capability of this name.
  package func capability(_ name: String) -> Capability? { capabilities.first { $0.name == name } }
  /// The time that cases call by this name.
  package func patience(_ name: String) -> LogicalTime? { patience.first { $0.name == name }?.time }
  /// The kind of certificate of this name.
  package func tier(_ name: String) -> CertificationTier? { certification.first { $0.name == name } }
  /// The profile of this name.
  package func profile(_ name: String) -> Profile? { profiles.first { $0.name == name } }
}
