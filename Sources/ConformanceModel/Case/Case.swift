import JSONKit
import Templates

/// A scenario and its expected result: steps that act on the subject, and claims that judge the observations.
package struct Case: Hashable, Sendable {
  /// A state of the protocol in which a case begins: steps that reach the state, and assertions that hold in the state.
  package struct Precondition: Hashable, Sendable {
    package var state: String
    /// The requirements that a subject violates if it does not reach the state.
    package var requirements: [RequirementID]
    package var steps: [Step]
    /// Assertions that show that the state was reached. If one of them does not hold, no claim of the case is judged.
    package var holds: [Claim.Assertion]

    package init(state: String, requirements: [RequirementID], steps: [Step], holds: [Claim.Assertion]) {
      self.state = state
      self.requirements = requirements
      self.steps = steps
      self.holds = holds
    }
  }

  /// The steps and claims for one row of the case's table, or for the case itself if it has no table.
  package struct Scenario: Hashable, Sendable {
    /// The name of the row, which never changes; nil for a case without a table.
    package var row: String?
    /// The values of the row. They are already inserted into the steps and claims.
    package var values: Bindings
    /// The values of the app's surroundings that the adapter gets at launch.
    package var environment: JSON.Object
    /// The states that the kit reaches in this order before the steps.
    package var given: [Precondition]
    package var steps: [Step]
    /// Assertions that show that the subject did what the case is about. If one does not hold, no claim is judged.
    package var witness: [Claim.Assertion]
    /// Assertions that fail if the subject answers every request alike. If one of these does not hold, no claim gets
    /// the verdict *conforms*. A violation is still reported.
    package var controls: [Claim.Assertion]
    /// Claims about other requirements that the case depends on. If one of these does not hold, the requirements of
    /// ``claims`` are unjudged. But if that claim is about a position, they are not applicable.
    package var assumes: [Claim]
    package var claims: [Claim]

    package init(
      row: String? = nil, values: Bindings = [:], environment: JSON.Object = [:], given: [Precondition] = [],
      steps: [Step], witness: [Claim.Assertion] = [], controls: [Claim.Assertion] = [], assumes: [Claim] = [],
      claims: [Claim]
    ) {
      self.row = row
      self.values = values
      self.environment = environment
      self.given = given
      self.steps = steps
      self.witness = witness
      self.controls = controls
      self.assumes = assumes
      self.claims = claims
    }

    /// The logical time that the steps of the scenario and of its ``given`` states take.
    package func span(_ course: Step.Course) -> LogicalTime {
      given.reduce(steps.span(course)) { $0 + $1.steps.span(course) }
    }
  }

  package var id: CaseID
  /// Earlier names of the case.
  package var aliases: [CaseID]
  package var title: String
  package var role: Role
  /// The dialects in which the case runs.
  package var dialects: [Dialect]
  /// The capabilities that the case needs from the subject.
  package var needs: [String]
  /// The path below which the mocks serve the protocol, such as `/prefix`; empty for the root.
  package var mount: String
  /// The services whose mock servers use TLS. The authority of the run issues their certificates.
  package var tls: Set<ServiceName>
  /// The services whose addresses occur in the environment, the steps or the states. Only their mock servers listen.
  package var services: Set<ServiceName>
  /// Whether no other case may run at the same time, because this case changes something that cases share.
  package var runsAlone: Bool
  /// One scenario for each row of the table. A case without a table has one scenario.
  package var scenarios: [Scenario]
  /// The digest of the case and its states. The kit does not judge evidence that contains a different digest.
  package var digest: String
  /// The file in the catalogue that contains the case, and the line in the file.
  package var file: String
  package var line: Int

  package init(
    id: CaseID, aliases: [CaseID] = [], title: String, role: Role, dialects: [Dialect], needs: [String] = [],
    mount: String = "", tls: Set<ServiceName> = [], services: Set<ServiceName> = [], runsAlone: Bool = false,
    scenarios: [Scenario], digest: String = "", file: String = "", line: Int = 0
  ) {
    self.id = id
    self.aliases = aliases
    self.title = title
    self.role = role
    self.dialects = dialects
    self.needs = needs
    self.mount = mount
    self.tls = tls
    self.services = services
    self.runsAlone = runsAlone
    self.scenarios = scenarios
    self.digest = digest
    self.file = file
    self.line = line
  }

  package func scenario(_ row: String?) -> Scenario? { scenarios.first { $0.row == row } }
}

extension Case.Precondition {
  /// The reason why the case cannot be judged. It names the state that was not reached, and the requirements that
  /// demand this state.
  package func obstacle(_ detail: String) -> String {
    let rules = requirements.isEmpty ? "" : " (\(requirements.map(\.rawValue).joined(separator: ", ")))"
    return "the state '\(state)' was not reached\(rules): \(detail)"
  }
}

/// A case in one dialect, and with one row if it has a table.
package struct CaseInstance: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var id: CaseID
  package var row: String?
  package var dialect: Dialect

  package init(id: CaseID, row: String?, dialect: Dialect) {
    self.id = id
    self.row = row
    self.dialect = dialect
  }

  /// The name in the form that `--case` accepts and reports show, such as `offline.capacity[101]`.
  package var name: String { row.map { "\(id)[\($0)]" } ?? id.rawValue }
  /// The name with its dialect, such as `offline.capacity[101]@core-1.21`.
  package var description: String { "\(name)@\(dialect)" }

  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}
