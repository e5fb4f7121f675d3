/// One rule of a document, in the kit's own words, with the sentence it comes from.
public struct Requirement: Hashable, Sendable {
  /// How binding the rule is (RFC 2119); `OBSERVE` is recorded and never fails.
  public enum Level: String, CaseIterable, Sendable {
    case must = "MUST"
    case mustNot = "MUST NOT"
    case should = "SHOULD"
    case shouldNot = "SHOULD NOT"
    case may = "MAY"
    case observe = "OBSERVE"

    /// Whether a violation of the rule breaks conformance.
    public var isRequired: Bool { self == .must || self == .mustNot }
  }

  /// What the rule rests on.
  public enum Basis: String, CaseIterable, Sendable {
    /// The specification says it.
    case stated
    /// Another public document of the vendor says it.
    case published
    /// Shipped code does it.
    case observed
    /// The documents are silent or contradict each other, and the kit takes a position.
    case position
  }

  /// The place of the sentence.
  public struct Source: Hashable, Sendable {
    public var document: String
    public var section: String
    public var revision: String

    public init(document: String, section: String, revision: String) {
      self.document = document
      self.section = section
      self.revision = revision
    }
  }

  public var id: RequirementID
  public var role: Role
  /// The row of the parity matrix, 1 to 13 for LinkForty; nil when the rule belongs to none.
  public var feature: Int?
  public var level: Level
  public var basis: Basis
  public var source: Source
  public var text: String
  /// Whether it only binds subjects that declare this capability.
  public var condition: String?
  public var position: PositionID?
  /// Why no case can judge it, when none can.
  public var untestable: String?
  /// Why it no longer holds.
  public var withdrawn: String?

  public init(
    id: RequirementID, role: Role, feature: Int?, level: Level, basis: Basis, source: Source, text: String,
    condition: String? = nil, position: PositionID? = nil, untestable: String? = nil, withdrawn: String? = nil
  ) {
    self.id = id
    self.role = role
    self.feature = feature
    self.level = level
    self.basis = basis
    self.source = source
    self.text = text
    self.condition = condition
    self.position = position
    self.untestable = untestable
    self.withdrawn = withdrawn
  }
}

/// What is under test: which ports the subject is plugged into.
public enum Role: String, CaseIterable, Sendable {
  /// Driven by commands, calls a server.
  case sdk
  /// Called by a client.
  case server
  /// Called by a client, calls a server.
  case backend
}

/// The kit's answer to a gap in the documents, which can be switched off by id.
public struct Position: Hashable, Sendable {
  public var id: PositionID
  /// What the documents leave open.
  public var gap: String
  /// What the kit takes to be so.
  public var text: String

  public init(id: PositionID, gap: String, text: String) {
    self.id = id
    self.gap = gap
    self.text = text
  }
}
