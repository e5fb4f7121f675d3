import JSONKit

/// A scenario and what it must show: steps that touch the subject, claims that judge what happened.
package struct Case: Hashable, Sendable {
  /// A state of the protocol that a case begins in: steps that lead there, and what holds once it is reached.
  package struct Precondition: Hashable, Sendable {
    package var state: String
    /// The rules that a subject breaks which does not reach it.
    package var requirements: [RequirementID]
    package var steps: [Step]
    /// If one of these does not hold, nothing that the case claims means anything.
    package var holds: [Claim.Assertion]

    package init(state: String, requirements: [RequirementID], steps: [Step], holds: [Claim.Assertion]) {
      self.state = state
      self.requirements = requirements
      self.steps = steps
      self.holds = holds
    }
  }

  /// What runs and what is claimed for one row of the case's table, or for the case itself when it has no table.
  package struct Scenario: Hashable, Sendable {
    /// The row's name, which never changes; nil without a table.
    package var row: String?
    /// The row's values, already put into the steps and claims.
    package var values: Bindings
    /// Facts about the app's surroundings that the adapter gets at launch.
    package var environment: JSON.Object
    /// The states that are brought about first, in this order.
    package var given: [Precondition]
    package var steps: [Step]
    /// What must have happened for the claims to mean anything: if one of these does not hold, nothing is judged.
    package var witness: [Claim.Assertion]
    /// What shows that not everything is answered alike: if one of these does not hold, no claim conforms, and one that is
    /// violated is violated all the same.
    package var controls: [Claim.Assertion]
    /// What other rules demand and the case needs: if one of these does not hold, nothing is said about the rules of the
    /// others.
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

    /// How long the scenario lets time pass of its own accord.
    package func span(_ course: Step.Course) -> LogicalTime {
      given.reduce(steps.span(course)) { $0 + $1.steps.span(course) }
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
  /// The path below which the mocks serve the protocol, such as `/prefix`; empty at the root.
  package var mount: String
  /// The services that speak TLS, with certificates of the run's authority.
  package var tls: Set<ServiceName>
  /// The services whose addresses its environment, steps or states speak of; only these have a mock that listens.
  package var services: Set<ServiceName>
  /// Whether no other case may run beside it, since it moves what others share.
  package var runsAlone: Bool
  /// One for each row of the table, or the only one.
  package var scenarios: [Scenario]
  /// The digest of its text and of the states it begins in: evidence of another text is not judged by this one.
  package var digest: String
  /// Where the case stands in the catalogue.
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

  /// The scenario of a row.
  package func scenario(_ row: String?) -> Scenario? { scenarios.first { $0.row == row } }
}

extension Case.Precondition {
  /// Why nothing can be judged: the state was not reached, and which rules say that it must be.
  package func obstacle(_ detail: String) -> String {
    let rules = requirements.isEmpty ? "" : " (\(requirements.map(\.rawValue).joined(separator: ", ")))"
    return "the state '\(state)' was not reached\(rules): \(detail)"
  }
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
