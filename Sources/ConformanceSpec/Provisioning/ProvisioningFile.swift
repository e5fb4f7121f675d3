import ConformanceModel
import FoundationEssentials
import JSONKit

/// Reads a provisioning file: YAML to value, value against the published schema, the environment put in, then nouns.
package struct ProvisioningFile: Sendable {
  /// The shortest secret: a shorter one would be found, and blackened, everywhere.
  package static let shortestSecret = 4

  /// The members that hold templates.
  private static let templates: Set<String> = ["hooks", "start", "exchanges", "probe"]

  private let schema: JSONSchema
  private let definition: ProtocolDefinition
  private let exchanges: [Exchange]

  /// `schemas` is the folder with the published schemas.
  package init(
    _ schemas: CatalogueFolder, definition: ProtocolDefinition, exchanges: [Exchange]
  ) throws(CatalogueError) {
    do throws(Diagnostic) {
      schema = try SchemaSet.schema("provisioning", in: schemas)
    } catch {
      throw CatalogueError([error])
    }
    self.definition = definition
    self.exchanges = exchanges
  }

  /// The provisioning that stands in a file. `variables` is the environment.
  package func read(_ path: String, variables: [String: String]) throws(CatalogueError) -> Provisioning {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw CatalogueError([
        Diagnostic(rule: "files", file: path, expected: "a provisioning file that can be read", found: "none")
      ])
    }
    return try read(Array(bytes), file: path, variables: variables)
  }

  /// The provisioning that a text holds; `file` is what diagnostics call it.
  package func read(
    _ bytes: [UInt8], file: String, variables: [String: String]
  ) throws(CatalogueError) -> Provisioning {
    let document: SpecDocument
    do {
      document = try SpecDocument(file: file, bytes: bytes)
    } catch {
      throw CatalogueError([error])
    }
    try Self.stop(schema.validate(document.value), document, rule: "schema")
    var environment = EnvironmentText(variables)
    let filled = Self.filled(document.root, &environment)
    try Self.stop(environment.problems, document, rule: "environment")
    var reader = FieldReader()
    var provisioning = reader.provisioning(JSONField(filled.value), of: definition)
    for problem in ProvisioningChecks(definition, exchanges: exchanges).problems(of: JSONField(filled.value)) {
      reader.report(problem)
    }
    provisioning.secrets += filled.secrets
    for problem in Self.shortSecrets(provisioning.secrets, environment.used) { reader.report(problem) }
    provisioning.secrets += Self.credentials(provisioning, definition)
    try Self.stop(reader.problems, document, rule: "value")
    return provisioning
  }

  private static func stop(
    _ problems: [JSONField.Problem], _ document: SpecDocument, rule: String
  ) throws(CatalogueError) {
    guard !problems.isEmpty else { return }
    throw CatalogueError(problems.map { document.diagnostic($0, rule: rule) })
  }

  /// The file with the environment put in, and what of it is secret: all but what stands in the URL and the dialect.
  private static func filled(
    _ root: JSONField, _ environment: inout EnvironmentText
  ) -> (value: JSON, secrets: [String]) {
    var open = EnvironmentText(environment.variables)
    var object = JSON.Object()
    for member in root.value.object?.members ?? [] {
      let field = JSONField(member.value, path: JSONPath.root.appending(key: member.key))
      let value =
        ["url", "urls", "dialect"].contains(member.key)
        ? open.fill(field, escapes: false) : environment.fill(field, escapes: Self.templates.contains(member.key))
      object.members.append(.init(key: member.key, value: value))
    }
    environment.add(problems: open.problems)
    return (.object(object), environment.used.sorted { $0.key < $1.key }.map(\.value))
  }

  private static func shortSecrets(_ secrets: [String], _ used: [String: String]) -> [JSONField.Problem] {
    secrets.filter { $0.count < shortestSecret }.map { secret in
      let variable = used.first { $0.value == secret }.map { "in \($0.key) " } ?? ""
      return JSONField.Problem(
        path: JSONPath([.key("secrets")]), expected: "secrets of at least \(shortestSecret) characters",
        found: "\(variable)one of \(secret.count)", hint: "evidence would be blackened wherever it occurs by chance")
    }
  }

  /// What is a secret by its place: the values that the protocol calls so, and what stands in headers for credentials.
  private static func credentials(_ provisioning: Provisioning, _ definition: ProtocolDefinition) -> [String] {
    let values = definition.secrets.compactMap { provisioning.values[$0]?.string }
    let names = ["Authorization", "Proxy-Authorization", "Cookie"]
    let calls = provisioning.hooks.values.flatMap { hook -> [String] in
      guard case .http(let call) = hook.action else { return [] }
      return call.headers.filter { name, _ in names.contains { name.equalsIgnoringCase($0) } }.compactMap {
        try? $0.value.renderText([:])
      }
    }
    let fields = names.flatMap { provisioning.headers.values($0) } + calls
    // Of `Bearer abc` the word that follows the scheme.
    let credentials = fields.map { field in
      field.firstIndex(of: " ").map { String(field[field.index(after: $0)...]) } ?? field
    }
    return (values + credentials).filter { $0.count >= shortestSecret }
  }
}
