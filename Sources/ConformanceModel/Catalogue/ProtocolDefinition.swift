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

  /// Something a subject may be able to do; the lack of a required one violates the requirements that need it.
  ///
  /// What an SDK can do its adapter declares. What can be done with a server follows from how it is provisioned.
  package struct Capability: Hashable, Sendable {
    package var name: String
    package var role: Role
    package var isRequired: Bool
    package var text: String
    /// Whether it is that the server believes a header field about the address of its client.
    package var isClientAddress: Bool

    package init(
      name: String, role: Role = .sdk, isRequired: Bool, text: String, isClientAddress: Bool = false
    ) {
      self.name = name
      self.role = role
      self.isRequired = isRequired
      self.text = text
      self.isClientAddress = isClientAddress
    }
  }

  /// A command: of the adapter vocabulary, or for what provisions a server. Each role has its own.
  package struct Command: Hashable, Sendable {
    package var name: String
    package var role: Role
    package var text: String
    /// The capability it belongs to; nil for commands every adapter has.
    package var capability: String?
    /// JSON Schema of its parameters (an object).
    package var params: JSON
    /// JSON Schema of its result.
    package var result: JSON

    package init(
      name: String, role: Role = .sdk, text: String, capability: String?, params: JSON, result: JSON
    ) {
      self.name = name
      self.role = role
      self.text = text
      self.capability = capability
      self.params = params
      self.result = result
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

  package var name: String
  package var title: String
  package var document: String
  package var revision: String
  package var roles: [Role]
  package var dialects: [Dialect]
  package var features: [Feature]
  package var capabilities: [Capability]
  package var commands: [Command]
  package var values: [Value]
  /// The closed list of kinds a command's error may have.
  package var errorKinds: [String]
  /// Header fields, body members and command parameters whose values never reach evidence unredacted.
  package var secrets: [String]

  package init(
    name: String, title: String, document: String, revision: String, roles: [Role], dialects: [Dialect],
    features: [Feature], capabilities: [Capability], commands: [Command], values: [Value] = [], errorKinds: [String],
    secrets: [String]
  ) {
    self.name = name
    self.title = title
    self.document = document
    self.revision = revision
    self.roles = roles
    self.dialects = dialects
    self.features = features
    self.capabilities = capabilities
    self.commands = commands
    self.values = values
    self.errorKinds = errorKinds
    self.secrets = secrets
  }

  /// The commands of a role.
  package func commands(of role: Role) -> [Command] { commands.filter { $0.role == role } }
  /// The command that a role calls by this name.
  package func command(_ name: String, of role: Role) -> Command? {
    commands.first { $0.name == name && $0.role == role }
  }
  /// The names of what a role may be able to do.
  package func capabilities(of role: Role) -> [String] { capabilities.filter { $0.role == role }.map(\.name) }
  /// The capability of this name.
  package func capability(_ name: String) -> Capability? { capabilities.first { $0.name == name } }
}
