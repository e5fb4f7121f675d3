import JSONKit

/// A scenario and what it must show: steps that touch the subject, claims that judge what happened.
package struct Case: Hashable, Sendable {
  /// What runs and what is claimed for one row of the case's table, or for the case itself when it has no table.
  package struct Scenario: Hashable, Sendable {
    /// The row's name, which never changes; nil without a table.
    package var row: String?
    /// The row's values, already put into the steps and claims.
    package var values: Bindings
    /// Facts about the app's surroundings that the adapter gets at launch.
    package var environment: JSON.Object
    package var steps: [Step]
    /// What must have happened for the claims to mean anything: a claim conforms only when all of these hold.
    package var witness: [Claim.Assertion]
    package var claims: [Claim]

    package init(
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

  package var id: CaseID
  /// Names the case had before.
  package var aliases: [CaseID]
  package var title: String
  package var role: Role
  /// The dialects it runs in.
  package var dialects: [Dialect]
  /// The capabilities that the subject needs for it.
  package var needs: [String]
  /// The path below which the mock serves the protocol, such as `/prefix`; empty at the root.
  package var mount: String
  /// Whether its environment or steps speak of the decoy, the second mock; it listens only then.
  package var namesDecoy: Bool
  /// One for each row of the table, or the only one.
  package var scenarios: [Scenario]
  /// Where the case stands in the catalogue.
  package var file: String
  package var line: Int

  package init(
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
  package func scenario(_ row: String?) -> Scenario? { scenarios.first { $0.row == row } }
}

/// One run of a case: which row of its table, in which dialect.
package struct CaseInstance: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var id: CaseID
  package var row: String?
  package var dialect: Dialect

  package init(id: CaseID, row: String?, dialect: Dialect) {
    self.id = id
    self.row = row
    self.dialect = dialect
  }

  /// `offline.capacity[101]`: what `--case` takes and reports show.
  package var name: String { row.map { "\(id)[\($0)]" } ?? id.rawValue }
  /// `offline.capacity[101]@core-1.21`.
  package var description: String { "\(name)@\(dialect)" }

  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
