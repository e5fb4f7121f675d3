import Templates

/// A kind of certificate that a protocol offers, and the conditions for such a certificate.
package struct CertificationTier: Hashable, Sendable {
  /// A part that the project of an SDK must have in addition to a conformant run.
  package struct Submission: Hashable, Sendable {
    /// The place where the kit searches for the part.
    package enum Place: String, CaseIterable, Sendable {
      /// A package manifest that names the package.
      case manifest
      /// A folder of examples.
      case example
      /// A workflow of a CI service that lints and tests.
      case workflow
      /// The README.
      case readme
      /// Not in the repository: a person attests that the part exists.
      case person
    }

    /// A use of the SDK that an example must show.
    package struct Flow: Hashable, Sendable {
      package var name: String
      /// The usual names of the SDK's function for this flow. An example must call a function with one of these names.
      package var calls: [String]

      package init(name: String, calls: [String]) {
        self.name = name
        self.calls = calls
      }
    }

    package var id: String
    package var place: Place
    package var text: String
    /// The flows that the examples must show; empty if ``place`` is not `example`.
    package var flows: [Flow]

    package init(id: String, place: Place, text: String, flows: [Flow] = []) {
      self.id = id
      self.place = place
      self.text = text
      self.flows = flows
    }
  }

  package var name: String
  package var text: String
  /// The roles that the certified run must include.
  package var roles: [Role]
  /// The dialects that the run must include.
  package var dialects: [Dialect]
  /// The profiles whose requirements the run must include; empty for all requirements of the protocol.
  package var profiles: [String]
  /// The gate that the run must pass.
  package var gate: Gate
  /// The clock that every case must have used; nil if any clock is accepted.
  package var clock: ClockMode?
  /// The capabilities that a subject with a certificate may lack; nil if it may lack every capability that the protocol
  /// does not require.
  package var mayLack: [String]?
  /// The number of days for which a certificate is valid.
  package var validDays: Int
  /// The number of days after its expiry for which a certificate still counts.
  package var graceDays: Int
  /// If runs fail for this number of days, a certificate no longer counts; nil if failing runs never end a certificate.
  package var relegationDays: Int?
  package var submission: [Submission]

  package init(
    name: String, text: String, roles: [Role], dialects: [Dialect], profiles: [String] = [], gate: Gate,
    clock: ClockMode? = nil, mayLack: [String]? = nil, validDays: Int, graceDays: Int = 0, relegationDays: Int? = nil,
    submission: [Submission] = []
  ) {
    self.name = name
    self.text = text
    self.roles = roles
    self.dialects = dialects
    self.profiles = profiles
    self.gate = gate
    self.clock = clock
    self.mayLack = mayLack
    self.validDays = validDays
    self.graceDays = graceDays
    self.relegationDays = relegationDays
    self.submission = submission
  }
}
