import JSONKit

extension TranscriptHeader: JSONRepresentable {
  package var representation: JSON {
    [
      "transcript": .int(Self.schemaVersion), "kit": .string(kit), "protocol": .string(protocolName),
      "specRevision": .string(specRevision), "packDigest": .string(packDigest), "role": .string(role.rawValue),
      "instance": instance.representation, "caseDigest": .string(caseDigest),
      "clock": .string(clock.rawValue), "epoch": .int(epoch), "seed": .unsigned(seed),
      "subjects": .object(
        JSON.Object(
          subjects.sorted { $0.key < $1.key }.map { .init(key: $0.key.rawValue, value: $0.value.representation) })),
      // Bindings have no order of their own; sorted, the same run gives the same bytes.
      "bindings": .object(
        JSON.Object(bindings.values.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })),
    ]
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

extension CaseInstance: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("case", .string(id.rawValue)), ("row", row.map(JSON.string)), ("dialect", .string(dialect.rawValue)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = CaseID(try field.required("case").string())
    row = try field.optional("row")?.string()
    dialect = Dialect(try field.required("dialect").string())
  }
}

extension Subject: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("name", .string(name)), ("version", .string(version)), ("language", language.map(JSON.string)),
      ("platform", platform.map(JSON.string)), ("capabilities", .strings(capabilities)), ("honest", .bool(isHonest)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("name").string()
    version = try field.required("version").string()
    language = try field.optional("language")?.string()
    platform = try field.optional("platform")?.string()
    capabilities = try field.required("capabilities").strings()
    isHonest = try field.required("honest").bool()
  }
}
