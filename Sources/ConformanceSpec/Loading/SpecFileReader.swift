import ConformanceModel
import JSONKit
import SpecDocuments

/// Reads one file: parses its bytes, validates the value against the schema, and reads the entries.
package struct SpecFileReader: Sendable {
  let folder: CatalogueFolder
  let schemas: SchemaSet

  package init(folder: CatalogueFolder, schemas: SchemaSet) {
    self.folder = folder
    self.schemas = schemas
  }

  package func definition(of file: SpecFile) throws(CatalogueError) -> Located<ProtocolDefinition> {
    let document = try document(of: file)
    var reader = FieldReader()
    let definition = reader.definition(document.root)
    try check(document, file.kind, [], reader.problems)
    return Located(definition, in: document, at: .root)
  }

  /// The entries of a file. The file must not be the definition of the protocol.
  package func part(
    of file: SpecFile, definition: ProtocolDefinition, _ vocabulary: CaseVocabulary
  ) throws(CatalogueError) -> CatalogueSources.Part {
    let document = try document(of: file)
    var reader = FieldReader(vocabulary)
    var part = CatalogueSources.Part()
    let texts = file.kind == .cases ? Self.texts(document) : []
    let root = document.root
    func locate<Value>(_ value: Value, _ field: JSONField) -> Located<Value> {
      Located(value, in: document, at: field.path)
    }
    switch file.kind {
    case .protocol, .frozen: break
    case .requirements:
      part.requirements = reader.elements(root.member("requirements")).map { field in
        locate(reader.requirement(field, of: definition), field)
      }
    case .positions:
      part.positions = reader.elements(root.member("positions")).map { locate(reader.position($0), $0) }
    case .steps:
      part.states = reader.elements(root.member("states")).map { locate(reader.namedState($0), $0) }
      part.assumptions = reader.members(root.member("assumptions")).map { name, field in
        locate(reader.namedAssumption(name, field), field)
      }
    case .requests:
      part.everyRequest = reader.elements(root.member("requests")).flatMap { field in
        reader.claims(field, line: document.position(of: field.path).line, index: 0).map { locate($0, field) }
      }
    case .defects:
      part.defects = reader.elements(root.member("defects")).map { locate(reader.defect($0), $0) }
      part.variants = reader.elements(root.member("variants")).map { locate(reader.variant($0), $0) }
      part.idlePasses = reader.elements(root.member("idle")).map { locate(reader.idlePass($0), $0) }
    case .shapes:
      for (name, field) in reader.members(root.member("shapes")) {
        part.shapes[DefectID(name)] = locate(Set(reader.texts(field)), field)
      }
    case .mutants:
      part.equivalentMutants = reader.elements(root.member("equivalent")).map {
        locate(reader.equivalentMutant($0), $0)
      }
    case .coverage: part.coverage = reader.coverageNotes(root, in: document)
    case .server: part.server = locate(reader.server(root), root)
    case .exchange: part.exchanges = [locate(reader.exchange(root), root)]
    case .model: part.models = [locate(reader.model(root), root)]
    case .cases:
      part.cases = texts.map { text in
        let value = reader.case(text, of: definition, file: file.place) { document.position(of: $0).line }
        return locate(value, text.field)
      }
    }
    try check(document, file.kind, texts, reader.problems)
    return part
  }

  /// Whether the file can be read. If not, the names that it defines are unknown.
  func canRead(_ file: SpecFile) -> Bool { (try? document(of: file)) != nil }

  /// The states as the file contains them. Empty if the file cannot be read, which ``part(of:definition:_:)`` reports.
  func stateTexts(of file: SpecFile) -> [JSONField] {
    ((try? document(of: file))?.root.member("states")).flatMap { try? $0.elements() } ?? []
  }

  /// Maps the name of each assumption to the assumption as the file contains it. Empty if the file cannot be read.
  func assumptionTexts(of file: SpecFile) -> [String: JSON] {
    let members = (try? document(of: file))?.root.member("assumptions")?.value.object?.members ?? []
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }

  private func document(of file: SpecFile) throws(CatalogueError) -> SpecDocument {
    do {
      let document = try SpecDocument(file: file.place, bytes: try folder.bytes(of: file.path))
      try Self.expectKnownForm(document)
      return document
    } catch {
      throw CatalogueError([error])
    }
  }

  /// The name of the rule in diagnostics about a file whose format has a version that the kit cannot read.
  static let versionRule = "version"

  /// Throws for a file of another version of the format. The kit does not know later versions, and `conform fmt
  /// --upgrade` must convert a file of an older version first.
  private static func expectKnownForm(_ document: SpecDocument) throws(Diagnostic) {
    let known = ProtocolDefinition.formVersion
    guard let version = document.value["kit"]?.int, version != known else { return }
    let isLater = version > known
    let problem = JSONField.Problem(
      path: JSONPath([.key("kit")]),
      expected: isLater ? "at most \(known), the version of the form that this kit reads" : "\(known)",
      found: "\(version)",
      hint: isLater
        ? "the file is made for a later kit: use that, or write the file in version \(known)"
        : "the file is of an older form: 'conform fmt --upgrade' rewrites it")
    throw document.diagnostic(problem, rule: versionRule)
  }

  private static func texts(_ document: SpecDocument) -> [CaseText] {
    ((try? document.root.member("cases")?.elements()) ?? []).map(CaseText.init)
  }

  /// Throws the problems that the schema and the reader found. If several rows of a case have the same problem, it is
  /// thrown only once.
  private func check(
    _ document: SpecDocument, _ kind: SpecFileKind, _ cases: [CaseText], _ found: [JSONField.Problem]
  ) throws(CatalogueError) {
    let formal = formalProblems(of: document, as: kind, cases)
    // The reader also fails where the schema found a problem. Only the schema's problem is reported.
    let others = found.filter { problem in !formal.contains { $0.path.isRelated(to: problem.path) } }
    guard !formal.isEmpty || !others.isEmpty else { return }
    var known: Set<Diagnostic> = []
    let diagnostics =
      formal.map { document.diagnostic($0, rule: "schema") } + others.map { document.diagnostic($0, rule: "value") }
    throw CatalogueError(diagnostics.filter { known.insert($0).inserted })
  }

  /// The problems that the schema finds in the file. A case with a table is checked once for each row, because a value
  /// of a row may be anything, such as a requirement or a whole step.
  private func formalProblems(
    of document: SpecDocument, as kind: SpecFileKind, _ cases: [CaseText]
  ) -> [JSONField.Problem] {
    guard kind == .cases else { return schemas.problems(of: document.value, as: kind) }
    let problems = schemas.problems(of: document.value.withCases(cases.map(\.filledForReading)), as: kind)
    guard problems.isEmpty else { return problems }
    let others = cases.filter { $0.field.value["rows"] != nil }.flatMap { $0.expansions.dropFirst() }
    return schemas.problems(
      of: ["kit": .int(ProtocolDefinition.formVersion), "cases": .array(others.map(\.field.value))], as: kind
    ).map { problem in
      guard case .index(let index)? = problem.path.steps.dropFirst().first else { return problem }
      return problem.moved(to: others[index].field.path, inRow: others[index].row)
    }
  }
}

extension JSON {
  /// This value with `cases` in place of its own cases. If it has none, it is returned unchanged.
  fileprivate func withCases(_ cases: [JSON]) -> JSON {
    guard var object, object["cases"]?.array?.count == cases.count else { return self }
    object["cases"] = .array(cases)
    return .object(object)
  }
}

extension JSONPath {
  /// Whether one of the two paths is the beginning of the other.
  fileprivate func isRelated(to other: JSONPath) -> Bool {
    steps.starts(with: other.steps) || other.steps.starts(with: steps)
  }
}

extension JSONField.Problem {
  /// The same problem, at the path of the case in its file. The schema found it in a case whose holes the values of a
  /// row had filled.
  fileprivate func moved(to path: JSONPath, inRow row: String?) -> Self {
    var result = self
    result.path = JSONPath(path.steps + self.path.steps.dropFirst(2))
    if let row { result.found += " in row '\(row)'" }
    return result
  }
}
