import Templates

/// A kind of certificate that a protocol offers, and what each certificate of it needs.
package struct CertificationTier: Hashable, Sendable {
  /// Something that the project of an SDK has to have beside a conformant run.
  package struct Submission: Hashable, Sendable {
    /// The place where the kit looked for it.
    package enum Place: String, CaseIterable, Sendable {
      /// A package manifest that names the package.
      case manifest
      /// A folder of examples.
      case example
      /// A workflow of a CI service that lints and tests.
      case workflow
      /// The README.
      case readme
      /// Nowhere in a repository: a person attests it.
      case person
    }

    /// Something that an example has to show.
    package struct Flow: Hashable, Sendable {
      package var name: String
      /// Functions of which one is called in it, as SDKs usually call them.
      package var calls: [String]

      package init(name: String, calls: [String]) {
        self.name = name
        self.calls = calls
      }
    }

    package var id: String
    package var place: Place
    package var text: String
    /// The flows that an example has to show; empty for other places.
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
  /// The roles that the run has to be about.
  package var roles: [Role]
  /// The dialects that the run has to include.
  package var dialects: [Dialect]
  /// The gate of the run.
  package var gate: Gate
  /// The clock of every case; nil if any is accepted.
  package var clock: ClockMode?
  /// The capabilities that may be missing; nil for each that the protocol does not require.
  package var mayLack: [String]?
  /// How long a certificate is valid, in days.
  package var validDays: Int
  package var submission: [Submission]

  package init(
    name: String, text: String, roles: [Role], dialects: [Dialect], gate: Gate, clock: ClockMode? = nil,
    mayLack: [String]? = nil, validDays: Int, submission: [Submission] = []
  ) {
    self.name = name
    self.text = text
    self.roles = roles
    self.dialects = dialects
    self.gate = gate
    self.clock = clock
    self.mayLack = mayLack
    self.validDays = validDays
    self.submission = submission
  }
}
