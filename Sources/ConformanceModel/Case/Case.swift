/// A scenario and what it must show: steps that touch the subject, claims that judge what happened.
public struct Case: Hashable, Sendable {
  /// What runs and what is claimed for one row of the case's table, or for the case itself when it has no table.
  public struct Scenario: Hashable, Sendable {
    /// The row's name, which never changes; nil without a table.
    public var row: String?
    /// The row's values, already put into the steps and claims.
    public var values: Bindings
    /// Facts about the app's surroundings that the adapter gets at launch.
    public var environment: JSON.Object
    public var steps: [Step]
    /// What must have happened for the claims to mean anything: a claim conforms only when all of these hold.
    public var witness: [Claim.Assertion]
    public var claims: [Claim]

    public init(
      row: String? = nil, values: Bindings = [:], environment: JSON.Object = [:], steps: [Step],
      witness: [Claim.Assertion] = [], claims: [Claim]
    ) {
      self.row = row
      self.values = values
      self.environment = environment
      self.steps = steps
      self.witness = witness
      self.claims = claims
    }
  }

  public var id: CaseID
  /// Names the case had before.
  public var aliases: [CaseID]
  public var title: String
  public var role: Role
  /// The dialects it runs in.
  public var dialects: [Dialect]
  /// The capabilities that the subject needs for it.
  public var needs: [String]
  /// The path below which the mock serves the protocol, such as `/prefix`; empty at the root.
  public var mount: String
  /// Whether its environment or steps speak of the decoy, the second mock; it listens only then.
  public var namesDecoy: Bool
  /// One for each row of the table, or the only one.
  public var scenarios: [Scenario]
  /// Where the case stands in the catalogue.
  public var file: String
  public var line: Int

  public init(
    id: CaseID, aliases: [CaseID] = [], title: String, role: Role, dialects: [Dialect], needs: [String] = [],
    mount: String = "", namesDecoy: Bool = false, scenarios: [Scenario], file: String = "", line: Int = 0
  ) {
    self.id = id
    self.aliases = aliases
    self.title = title
    self.role = role
    self.dialects = dialects
    self.needs = needs
    self.mount = mount
    self.namesDecoy = namesDecoy
    self.scenarios = scenarios
    self.file = file
    self.line = line
  }

  /// The scenario of a row.
  public func scenario(_ row: String?) -> Scenario? { scenarios.first { $0.row == row } }
}

/// One run of a case: which row of its table, in which dialect.
public struct CaseInstance: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var id: CaseID
  public var row: String?
  public var dialect: Dialect

  public init(id: CaseID, row: String?, dialect: Dialect) {
    self.id = id
    self.row = row
    self.dialect = dialect
  }

  /// `offline.capacity[101]`: what `--case` takes and reports show.
  public var name: String { row.map { "\(id)[\($0)]" } ?? id.rawValue }
  /// `offline.capacity[101]@core-1.21`.
  public var description: String { "\(name)@\(dialect)" }

  public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
