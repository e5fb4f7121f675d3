import ConformanceModel
import JSONKit
import Templates

extension TranscriptHeader: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("transcript", Self.schemaVersion)
    members.add("kit", kit)
    members.add("protocol", protocolName)
    members.add("specRevision", specRevision)
    members.add("packDigest", packDigest)
    members.add("role", role.rawValue)
    members.add("instance", instance)
    members.add("caseDigest", caseDigest)
    members.add("clock", clock.rawValue)
    members.add("epoch", epoch)
    members.add("seed", JSON.unsigned(seed))
    let subjects = subjects.sorted { $0.key < $1.key }
    members.add(
      "subjects", JSON.Object(subjects.map { .init(key: $0.key.rawValue, value: $0.value.representation) }))
    // Bindings have no order. They are sorted, so that the same run gives the same bytes.
    let bindings = bindings.values.sorted { $0.key < $1.key }
    members.add("bindings", JSON.Object(bindings.map { .init(key: $0.key, value: $0.value) }))
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    try field.required("transcript").requireVersion(Self.schemaVersion, of: "transcript")
    kit = try field.required("kit").string()
    protocolName = try field.required("protocol").string()
    specRevision = try field.required("specRevision").string()
    packDigest = try field.required("packDigest").string()
    role = Role(try field.required("role").string())
    instance = try field.decode("instance")
    caseDigest = try field.required("caseDigest").string()
    clock = try field.required("clock").word(ClockMode.self)
    epoch = try field.required("epoch").int()
    seed = try field.required("seed").unsigned()
    subjects = [:]
    for (role, subject) in try field.required("subjects").members() { subjects[Role(role)] = try Subject(subject) }
    bindings = [:]
    for (name, value) in try field.required("bindings").members() { bindings[name] = value.value }
  }
}

extension CaseInstance: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("case", id.rawValue)
    members.add("row", row)
    members.add("dialect", dialect.rawValue)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    self.init(
      id: CaseID(try field.required("case").string()), row: try field.optional("row")?.string(),
      dialect: Dialect(try field.required("dialect").string()))
  }
}

extension Subject: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("name", name)
    members.add("version", version)
    members.add("language", language)
    members.add("platform", platform)
    members.add("capabilities", capabilities)
    members.add("honest", isHonest)
    members.add("lacks", lacks.isEmpty ? nil : lacks.sorted().map(\.rawValue))
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try Self.bounded(field.required("name"))
    version = try Self.bounded(field.required("version"))
    language = try field.optional("language").map(Self.bounded)
    platform = try field.optional("platform").map(Self.bounded)
    capabilities = try field.required("capabilities").strings()
    isHonest = try field.required("honest").bool()
    lacks = []
    for element in try field.optional("lacks")?.elements() ?? [] { lacks.insert(try element.word(HostAbility.self)) }
  }

  /// The text of a field. Throws if it is longer than ``Bounds/recordedName`` Unicode scalars. The kit never writes a
  /// longer text into such a field.
  private static func bounded(_ field: JSONField) throws(JSONField.Problem) -> String {
    let text = try field.string()
    let length = text.unicodeScalars.count
    guard length <= Bounds.recordedName else {
      throw JSONField.Problem(
        path: field.path, expected: "a text of at most \(Bounds.recordedName) characters", found: "one of \(length)")
    }
    return text
  }
}
