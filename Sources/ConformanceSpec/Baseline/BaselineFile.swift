import ConformanceModel
import ConformanceVerdict
import JSONKit
import SpecDocuments
import Templates
import TextKit

/// A baseline file that was read and validated against the schema and the catalogue.
package struct BaselineFile: Sendable {
  package let baseline: Baseline
  package let digest: String
  /// The diagnostics for entries that name a requirement, case or dialect which the catalogue does not contain. The key
  /// is the index of the entry in the file.
  package private(set) var obsolete: [Int: Diagnostic] = [:]
  /// The diagnostics for incomplete entries: entries without a reason, and flaky entries without a last day.
  package private(set) var unexplained: [Diagnostic] = []

  /// Reads a baseline. Throws if the file is malformed or belongs to another protocol, or if two entries cover the same
  /// requirement in the same run of a case.
  ///
  /// - Parameter schemas: the folder that contains the published schemas.
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

  /// Reads a baseline from the bytes of a file. `file` is the name by which diagnostics refer to the file.
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
    if let problem = Self.age(of: document) { throw CatalogueError([problem]) }
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
        var problem = JSONField.Problem(path: reason.path, expected: "why this is accepted", found: "an empty text")
        problem.hint = "without a reason an accepted violation looks like a mistake"
        unexplained.append(document.diagnostic(problem, rule: "value"))
      }
      if entry.isFlaky, entry.expires == nil, let flaky = field.member("flaky") {
        let expected = "'expires' beside it: the last day on which this may fail or pass"
        let problem = JSONField.Problem(path: flaky.path, expected: expected, found: "no term")
        unexplained.append(document.diagnostic(problem, rule: "value"))
      }
    }
  }

  /// The baseline for a run. Throws if an entry is obsolete or has no reason, or if a flaky entry has no last day.
  package func inForce() throws(CatalogueError) -> Baseline {
    let problems = Array(obsolete.values) + unexplained
    guard problems.isEmpty else { throw CatalogueError(problems) }
    return baseline
  }

  /// The baseline, even if reasons or last days are missing. Throws if an entry is obsolete.
  package func current() throws(CatalogueError) -> Baseline {
    guard obsolete.isEmpty else { throw CatalogueError(Array(obsolete.values)) }
    return baseline
  }

  /// A diagnostic with advice, if the file has an older format; otherwise nil.
  private static func age(of document: SpecDocument) -> Diagnostic? {
    guard let version = document.root.member("kit"), let number = version.value.int,
      (1..<Baseline.formVersion).contains(number)
    else { return nil }
    var problem = version.problem(expected: "\(Baseline.formVersion), the version of the form")
    problem.hint = "'conform fmt --upgrade \(document.file)' rewrites it"
    return document.diagnostic(problem, rule: "schema")
  }

  private static func stop(
    _ problems: [JSONField.Problem], _ document: SpecDocument, rule: String
  ) throws(CatalogueError) {
    guard !problems.isEmpty else { return }
    throw CatalogueError(problems.map { document.diagnostic($0, rule: rule) })
  }
}

/// Checks whether a baseline fits the catalogue of its protocol.
private struct BaselineChecks {
  let baseline: Baseline
  let catalogue: Catalogue
  private let judgements: JudgedRuns
  /// The names of all cases, with one name for each row.
  private let names: [String]

  init(_ baseline: Baseline, _ catalogue: Catalogue) {
    self.baseline = baseline
    self.catalogue = catalogue
    judgements = JudgedRuns(catalogue)
    names = catalogue.cases.flatMap { one in
      one.scenarios.map { CaseInstance(id: one.id, row: $0.row, dialect: "").name }
    }
  }

  /// The problems of the baseline other than names of requirements, cases and dialects that do not exist.
  func formalProblems(_ fields: [JSONField], of root: JSONField) -> [JSONField.Problem] {
    var problems: [JSONField.Problem] = []
    let name = catalogue.definition.name
    if baseline.protocolName != name, let field = root.member("protocol") {
      problems.append(field.problem(expected: "'\(name)', the protocol of the run"))
    }
    for (entry, field) in zip(baseline.entries, fields) {
      if entry.covers[entry.cause] == nil, let cause = field.member("cause") {
        problems.append(cause.problem(expected: "one of the requirements in 'covers'"))
      }
      if let day = entry.expires, Timestamp("\(day)T00:00:00Z") == nil, let expires = field.member("expires") {
        problems.append(expires.problem(expected: "a day of the calendar"))
      }
    }
    return problems + duplicates(fields)
  }

  /// A problem for each entry that covers the same requirement in the same run of a case as an earlier entry, if one
  /// subject can meet the conditions of both.
  private func duplicates(_ fields: [JSONField]) -> [JSONField.Problem] {
    let covered = baseline.entries.map(runs)
    return baseline.entries.indices.compactMap { index in
      let entry = baseline.entries[index]
      let earlier = baseline.entries[..<index].indices.lazy.compactMap { other -> (Int, RequirementID)? in
        let one = baseline.entries[other]
        if one.condition != nil, entry.condition != nil, one.condition != entry.condition { return nil }
        let shared = covered[index].keys.sorted().first { requirement in
          !(covered[other][requirement] ?? []).isDisjoint(with: covered[index][requirement] ?? [])
        }
        return shared.map { (other, $0) }
      }.first
      guard let (other, requirement) = earlier else { return nil }
      return JSONField.Problem(
        path: fields[index].path, expected: "one entry for \(requirement) in a run of a case",
        found: "another on line \(baseline.entries[other].line)", hint: "make one of the two, or narrow their cases")
    }
  }

  /// The problem of an obsolete entry, which names a requirement, case or dialect that does not exist; nil for any
  /// other entry.
  func obsolescence(of entry: Baseline.Entry, _ field: JSONField) -> JSONField.Problem? {
    let hint = "'conform baseline prune' removes the entry"
    func problem(
      _ path: JSONPath, expected: String, found: String, near known: [String] = []
    ) -> JSONField.Problem {
      let near = Nearest.suggestion(for: found, in: known)
      return JSONField.Problem(
        path: path, expected: expected, found: "'\(found)'",
        hint: [near, hint].compactMap(\.self).joined(separator: "; "))
    }
    let place = field.path.appending(key: "covers")
    for (index, dialect) in entry.dialects.enumerated() where !catalogue.definition.dialects.contains(dialect) {
      return JSONField.Problem(
        path: field.path.appending(key: "dialects").appending(index: index), expected: "a dialect of the protocol",
        found: "'\(dialect)'", hint: hint)
    }
    for (id, patterns) in entry.covers.sorted(by: { $0.key < $1.key }) {
      let place = place.appending(key: id.rawValue)
      guard let requirement = catalogue.requirement(id), requirement.withdrawn == nil else {
        return problem(
          place, expected: "a requirement of \(catalogue.definition.name) that is not withdrawn", found: id.rawValue,
          near: catalogue.requirements.map(\.id.rawValue))
      }
      for (index, pattern) in patterns.enumerated() {
        let place = place.appending(index: index)
        if let dialect = pattern.dialect, !catalogue.definition.dialects.contains(dialect) {
          return problem(
            place, expected: "a dialect of the protocol behind '@'", found: dialect.rawValue,
            near: catalogue.definition.dialects.map(\.rawValue))
        }
        guard names.contains(where: { isNamed($0, by: pattern) }) else {
          return problem(
            place, expected: "the name of a case, or a pattern that fits one", found: pattern.name, near: names)
        }
        guard judgements.runs(of: id, in: pattern, entry.dialects).first != nil else {
          return problem(place, expected: "a case that judges \(id) in these dialects", found: pattern.text)
        }
      }
    }
    return nil
  }

  /// Whether a pattern fits a case. The pattern fits if it matches the whole name of the case, or this name without the
  /// row.
  private func isNamed(_ name: String, by pattern: CasePattern) -> Bool {
    let wildcard = Wildcard(pattern.name)
    return wildcard.matches(name) || wildcard.matches(String(name.prefix { $0 != "[" }))
  }

  /// Maps each requirement of the entry to the runs of cases that judge it and that the entry covers.
  private func runs(of entry: Baseline.Entry) -> [RequirementID: Set<CaseInstance>] {
    Dictionary(
      uniqueKeysWithValues: entry.covers.map { id, patterns in
        (id, Set(patterns.flatMap { judgements.runs(of: id, in: $0, entry.dialects) }))
      })
  }
}

extension FieldReader {
  /// Reads a baseline from a document that the schema has already validated.
  fileprivate mutating func baseline(_ document: SpecDocument) -> Baseline {
    Baseline(
      protocolName: text(document.root.member("protocol")),
      entries: elements(document.root.member("known")).map { field in
        Baseline.Entry(
          cause: RequirementID(text(field.member("cause"))),
          covers: Dictionary(
            members(field.member("covers")).map { id, field in
              (RequirementID(id), texts(field).map { CasePattern($0) })
            }, uniquingKeysWith: +),
          dialects: texts(field.member("dialects")).map { Dialect($0) },
          expects: elements(field.member("expects")).map { expectation($0) }, reason: text(field.member("reason")),
          isFlaky: bool(field.member("flaky"), otherwise: false),
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
