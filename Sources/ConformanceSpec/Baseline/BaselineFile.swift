import ConformanceModel
import JSONKit

/// A baseline as it stands in its file: read, held against the schema, and against the catalogue that it speaks of.
package struct BaselineFile: Sendable {
  package let baseline: Baseline
  /// The digest of the file.
  package let digest: String
  /// The entries, by their place, that speak of what the catalogue does not have.
  package private(set) var obsolete: [Int: Diagnostic] = [:]
  /// What is still to be written: entries without a reason.
  package private(set) var unexplained: [Diagnostic] = []

  /// Reads a baseline. Throws what is wrong with its form, and entries that speak of the same.
  ///
  /// `schemas` is the folder with the published schemas.
  package init(
    readingFrom path: String, schemas: CatalogueFolder, _ catalogue: Catalogue
  ) throws(CatalogueError) {
    let contents: [UInt8]?
    do { contents = try CatalogueFolder.contents(atPath: path) } catch { throw CatalogueError([error]) }
    guard let bytes = contents else {
      throw CatalogueError([
        Diagnostic(
          rule: "files", file: path, expected: "a baseline that can be read", found: "none",
          hint: "'conform baseline write' makes one of a run record")
      ])
    }
    try self.init(bytes, file: path, schemas: schemas, catalogue)
  }

  /// The baseline that a text holds; `file` is what diagnostics call it.
  package init(
    _ bytes: [UInt8], file: String, schemas: CatalogueFolder, _ catalogue: Catalogue
  ) throws(CatalogueError) {
    let document: SpecDocument
    let schema: JSONSchema
    do {
      document = try SpecDocument(file: file, bytes: bytes)
      schema = try SchemaSet.schema("baseline", in: schemas)
    } catch {
      throw CatalogueError([error])
    }
    try Self.stop(schema.validate(document.value), document, rule: "schema")
    var reader = FieldReader()
    baseline = reader.baseline(document)
    digest = Digest.of(bytes)
    let checks = BaselineChecks(baseline, catalogue)
    let fields = reader.elements(document.root.member("known"))
    for problem in checks.formalProblems(fields, of: document.root) { reader.report(problem) }
    try Self.stop(reader.problems, document, rule: "value")
    for (index, field) in fields.enumerated() {
      let entry = baseline.entries[index]
      if let problem = checks.obsolescence(of: entry, field) {
        obsolete[index] = document.diagnostic(problem, rule: "reference")
      }
      if entry.reason.allSatisfy(\.isWhitespace), let reason = field.member("reason") {
        var problem = JSONField.Problem(path: reason.path, expected: "why this is put up with", found: "an empty text")
        problem.hint = "nobody can tell a debt from a mistake without it"
        unexplained.append(document.diagnostic(problem, rule: "value"))
      }
    }
  }

  /// The baseline, once a run can go by it: every entry speaks of what there is, and says why it is there.
  package func inForce() throws(CatalogueError) -> Baseline {
    let problems = Array(obsolete.values) + unexplained
    guard problems.isEmpty else { throw CatalogueError(problems) }
    return baseline
  }

  /// The baseline, once every entry speaks of what there is.
  package func current() throws(CatalogueError) -> Baseline {
    guard obsolete.isEmpty else { throw CatalogueError(Array(obsolete.values)) }
    return baseline
  }

  private static func stop(
    _ problems: [JSONField.Problem], _ document: SpecDocument, rule: String
  ) throws(CatalogueError) {
    guard !problems.isEmpty else { return }
    throw CatalogueError(problems.map { document.diagnostic($0, rule: rule) })
  }
}

/// Holds a baseline against the catalogue that it speaks of.
private struct BaselineChecks {
  let baseline: Baseline
  let catalogue: Catalogue

  init(_ baseline: Baseline, _ catalogue: Catalogue) {
    self.baseline = baseline
    self.catalogue = catalogue
  }

  /// What is wrong whatever the catalogue's entries are.
  func formalProblems(_ fields: [JSONField], of root: JSONField) -> [JSONField.Problem] {
    var problems: [JSONField.Problem] = []
    let name = catalogue.definition.name
    if baseline.protocolName != name, let field = root.member("protocol") {
      problems.append(field.problem(expected: "'\(name)', the protocol of the run"))
    }
    for (entry, field) in zip(baseline.entries, fields) {
      if let day = entry.expires, Timestamp("\(day)T00:00:00Z") == nil, let expires = field.member("expires") {
        problems.append(expires.problem(expected: "a day of the calendar"))
      }
    }
    return problems + duplicates(fields)
  }

  /// Entries that speak of the same rule in the same run of a case, for the same subjects.
  private func duplicates(_ fields: [JSONField]) -> [JSONField.Problem] {
    let covered = baseline.entries.map { entry in Set(runs(of: entry)) }
    return baseline.entries.indices.compactMap { index in
      let entry = baseline.entries[index]
      let earlier = baseline.entries[..<index].indices.first { other in
        let one = baseline.entries[other]
        let areApart = one.condition != nil && entry.condition != nil && one.condition != entry.condition
        return one.requirement == entry.requirement && !areApart && !covered[other].isDisjoint(with: covered[index])
      }
      guard let earlier else { return nil }
      return JSONField.Problem(
        path: fields[index].path, expected: "one entry for \(entry.title)",
        found: "another on line \(baseline.entries[earlier].line)", hint: "make one of the two, or narrow their cases")
    }
  }

  /// Why an entry speaks of nothing that there is; nil when it does.
  func obsolescence(of entry: Baseline.Entry, _ field: JSONField) -> JSONField.Problem? {
    let hint = "'conform baseline prune' removes the entry"
    func problem(_ member: String, expected: String, near known: [String]) -> JSONField.Problem? {
      field.member(member).map { value in
        var problem = value.problem(expected: expected)
        let near = value.value.string.flatMap { Nearest.suggestion(for: $0, in: known) }
        problem.hint = [near, hint].compactMap(\.self).joined(separator: "; ")
        return problem
      }
    }
    guard let requirement = catalogue.requirement(entry.requirement), requirement.withdrawn == nil else {
      return problem(
        "requirement", expected: "a requirement of \(catalogue.definition.name) that is in force",
        near: catalogue.requirements.map(\.id.rawValue))
    }
    for (index, dialect) in entry.dialects.enumerated() where !catalogue.definition.dialects.contains(dialect) {
      return JSONField.Problem(
        path: field.path.appending(key: "dialects").appending(index: index), expected: "a dialect of the protocol",
        found: "'\(dialect)'", hint: hint)
    }
    let names = catalogue.cases.flatMap { one in
      one.scenarios.map { CaseInstance(id: one.id, row: $0.row, dialect: "").name }
    }
    let matching = names.filter { name in entry.covers(caseNamed: name, String(name.prefix { $0 != "[" })) }
    guard !matching.isEmpty else {
      return problem("case", expected: "the name of a case, or a pattern that fits one", near: names)
    }
    guard !runs(of: entry).isEmpty else {
      return problem("case", expected: "a case that judges \(entry.requirement) in these dialects", near: [])
    }
    return nil
  }

  /// The runs of cases in which the rule of the entry is judged and that it covers.
  private func runs(of entry: Baseline.Entry) -> [CaseInstance] {
    catalogue.cases.flatMap { one in
      one.scenarios.flatMap { scenario in
        one.dialects.compactMap { dialect in
          let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
          let judges = scenario.claims.contains {
            $0.requirement == entry.requirement && $0.dialects?.contains(dialect) ?? true
          }
          return judges && entry.covers(entry.requirement, in: instance) ? instance : nil
        }
      }
    }
  }
}

extension FieldReader {
  /// A baseline, whose form is known to be right.
  fileprivate mutating func baseline(_ document: SpecDocument) -> Baseline {
    Baseline(
      protocolName: text(document.root.member("protocol")),
      entries: elements(document.root.member("known")).map { field in
        Baseline.Entry(
          requirement: RequirementID(text(field.member("requirement"))), cases: text(field.member("case")),
          dialects: texts(field.member("dialects")).map { Dialect($0) },
          expects: elements(field.member("expects")).map { expectation($0) }, reason: text(field.member("reason")),
          link: field.member("link").map { text($0) }, expires: field.member("expires").map { text($0) },
          condition: field.member("when").map { when in
            .init(
              version: when.member("version").map { text($0) }, platform: when.member("platform").map { text($0) })
          },
          line: document.position(of: field.path).line)
      })
  }

  private mutating func expectation(_ field: JSONField) -> Baseline.Expectation {
    if let reason = field.member("unjudged") { return .unjudged(reason: text(reason)) }
    return .finding(
      subject: text(field.member("subject")), path: field.member("path").map { path($0) } ?? .root,
      expected: text(field.member("expected")), observed: field.member("observed").map { text($0) })
  }
}
