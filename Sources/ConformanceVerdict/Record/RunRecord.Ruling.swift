import ConformanceModel
import JSONKit

extension RunRecord {
  /// A verdict, its disposition, and the texts with which a person can understand it.
  package struct Ruling: Hashable, Sendable {
    package var verdict: Verdict
    package var disposition: Disposition
    package var rule: Rule
    /// The reason in the baseline entry that expects this violation, or that expects a violation where the subject now
    /// conforms. Nil without a baseline entry of this kind.
    package var baseline: String?
    /// The command that repeats exactly this verdict.
    package var rerun: String
    /// The step-by-step account of the case, for a person: the steps in words, and the messages with findings.
    package var story: [String]
    /// The requirements that, according to the catalogue, can be violated or unjudged as a consequence of this
    /// violation. Empty for a verdict that passes or is skipped.
    package var leadsTo: [RequirementID]
    /// The place of the requirement among all requirements, in the order of the documents. Nil for a verdict that
    /// passes or is skipped, and if `coverage.yaml` does not list the section of the requirement.
    package var documentPlace: Int?
    /// Descriptions of known defects that may be the cause: this case must detect them, and their violation has the
    /// same shape as this violation.
    package var looksLike: [String]
    /// Whether the violation is advisory and the conforming reference shows the same violation.
    package var isOrdinary: Bool

    package init(
      verdict: Verdict, disposition: Disposition, rule: Rule, baseline: String? = nil, rerun: String,
      story: [String] = [], leadsTo: [RequirementID] = [], documentPlace: Int? = nil, looksLike: [String] = [],
      isOrdinary: Bool = false
    ) {
      self.verdict = verdict
      self.disposition = disposition
      self.rule = rule
      self.baseline = baseline
      self.rerun = rerun
      self.story = story
      self.leadsTo = leadsTo
      self.documentPlace = documentPlace
      self.looksLike = looksLike
      self.isOrdinary = isOrdinary
    }
  }

  /// A requirement, as far as reports need it.
  package struct Rule: Hashable, Sendable {
    package var role: Role
    package var area: String
    /// The feature whose row in a matrix contains the requirement; nil if the requirement belongs to no feature.
    package var feature: ProtocolDefinition.Feature?
    package var level: Requirement.Level
    package var basis: Requirement.Basis
    package var source: Requirement.Source
    package var text: String

    package init(
      role: Role, area: String, feature: ProtocolDefinition.Feature?, level: Requirement.Level,
      basis: Requirement.Basis, source: Requirement.Source, text: String
    ) {
      self.role = role
      self.area = area
      self.feature = feature
      self.level = level
      self.basis = basis
      self.source = source
      self.text = text
    }

    /// The form of a requirement for reports, with the name of its feature from the protocol's definition.
    package init(_ requirement: Requirement, in definition: ProtocolDefinition) {
      self.init(
        role: requirement.role, area: requirement.id.area,
        feature: definition.features.first { $0.number == requirement.feature }, level: requirement.level,
        basis: requirement.basis, source: requirement.source, text: requirement.text)
    }
  }
}

extension RunRecord.Ruling: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    verdict.encodeMembers(into: &members)
    members.add("disposition", disposition.rawValue)
    members.add("rule", rule)
    members.add("baseline", baseline)
    members.add("rerun", rerun)
    members.add("story", story)
    if !leadsTo.isEmpty { members.add("leadsTo", leadsTo.map(\.rawValue)) }
    members.add("documentPlace", documentPlace)
    if !looksLike.isEmpty { members.add("looksLike", looksLike) }
    if isOrdinary { members.add("ordinary", true) }
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    verdict = try Verdict(field)
    disposition = try field.required("disposition").word(Disposition.self)
    rule = try field.decode("rule")
    baseline = try field.optional("baseline")?.string()
    rerun = try field.required("rerun").string()
    story = try field.required("story").strings()
    leadsTo = (try field.optional("leadsTo")?.strings() ?? []).map { RequirementID($0) }
    documentPlace = try field.optional("documentPlace")?.int()
    looksLike = try field.optional("looksLike")?.strings() ?? []
    isOrdinary = try field.optional("ordinary")?.bool() ?? false
  }
}

extension RunRecord.Rule: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("role", role.rawValue)
    members.add("area", area)
    members.add("feature", feature)
    members.add("level", level.rawValue)
    members.add("basis", basis.rawValue)
    members.add("source", source)
    members.add("text", text)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    role = Role(try field.required("role").string())
    area = try field.required("area").string()
    if let row = field.optional("feature") {
      feature = .init(number: try row.required("number").int(), name: try row.required("name").string())
    }
    level = try field.required("level").word(Requirement.Level.self)
    basis = try field.required("basis").word(Requirement.Basis.self)
    let source = try field.required("source")
    self.source = Requirement.Source(
      document: try source.required("document").string(), section: try source.required("section").string(),
      revision: try source.required("revision").string())
    text = try field.required("text").string()
  }
}

extension ProtocolDefinition.Feature: JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("number", number)
    members.add("name", name)
  }
}

extension Requirement.Source: JSONObjectEncodable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("document", document)
    members.add("section", section)
    members.add("revision", revision)
  }
}
