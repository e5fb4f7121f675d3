/// What `spec/<protocol>/protocol.yaml` says of a protocol as a whole.
public struct ProtocolDefinition: Hashable, Sendable {
  /// A row of the parity matrix.
  public struct Feature: Hashable, Sendable {
    public var number: Int
    public var name: String

    public init(number: Int, name: String) {
      self.number = number
      self.name = name
    }
  }

  /// Something a subject may be able to do; the lack of a required one violates the requirements that need it.
  ///
  /// What an SDK can do its adapter declares. What can be done with a server follows from how it is provisioned.
  public struct Capability: Hashable, Sendable {
    public var name: String
    public var role: Role
    public var isRequired: Bool
    public var text: String
    /// Whether it is that the server believes a header field about the address of its client.
    public var isClientAddress: Bool

    public init(
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
  public struct Command: Hashable, Sendable {
    public var name: String
    public var role: Role
    public var text: String
    /// The capability it belongs to; nil for commands every adapter has.
    public var capability: String?
    /// JSON Schema of its parameters (an object).
    public var params: JSON
    /// JSON Schema of its result.
    public var result: JSON

    public init(
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
  public struct Value: Hashable, Sendable {
    public var name: String
    public var text: String
    /// The capability it belongs to.
    public var capability: String

    public init(name: String, text: String, capability: String) {
      self.name = name
      self.text = text
      self.capability = capability
    }
  }

  public var name: String
  public var title: String
  public var document: String
  public var revision: String
  public var roles: [Role]
  public var dialects: [Dialect]
  public var features: [Feature]
  public var capabilities: [Capability]
  public var commands: [Command]
  public var values: [Value]
  /// The closed list of kinds a command's error may have.
  public var errorKinds: [String]
  /// Header fields, body members and command parameters whose values never reach evidence unredacted.
  public var secrets: [String]

  public init(
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
  public func commands(of role: Role) -> [Command] { commands.filter { $0.role == role } }
  /// The command that a role calls by this name.
  public func command(_ name: String, of role: Role) -> Command? {
    commands.first { $0.name == name && $0.role == role }
  }
  /// The names of what a role may be able to do.
  public func capabilities(of role: Role) -> [String] { capabilities.filter { $0.role == role }.map(\.name) }
  /// The capability of this name.
  public func capability(_ name: String) -> Capability? { capabilities.first { $0.name == name } }
}
