import ConformanceModel
import ConformanceProvisioning
import JSONKit
import SpecDocuments
import Templates

/// Reads a provisioning file: parses YAML, validates it against the published schema, fills in the environment, and
/// checks the names.
package struct ProvisioningFile: Sendable {
  /// The information from the command line about the run that uses the file.
  package struct Use: Hashable, Sendable {
    /// The role of the subject; nil if it can be any role that offers a service.
    package var role: Role?
    /// The services whose addresses the command line contains.
    package var addressed: Set<ServiceName>

    package init(role: Role? = nil, addressed: Set<ServiceName> = []) {
      self.role = role
      self.addressed = addressed
    }
  }

  /// The members that contain templates.
  private static let templates: Set<String> = ["hooks", "start", "exchanges", "probe", "cleanUp", "logins"]

  private let schema: JSONSchema
  private let definition: ProtocolDefinition
  private let exchanges: [Exchange]

  /// - Parameter schemas: the folder that contains the published schemas.
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

  /// Reads a provisioning file. `variables` is the environment.
  package func read(
    _ path: String, variables: [String: String], for use: Use = Use()
  ) throws(CatalogueError) -> Provisioning {
    let contents: [UInt8]?
    do { contents = try CatalogueFolder.contents(atPath: path) } catch { throw CatalogueError([error]) }
    guard let bytes = contents else {
      throw CatalogueError([
        Diagnostic(rule: "files", file: path, expected: "a provisioning file that can be read", found: "none")
      ])
    }
    return try read(bytes, file: path, variables: variables, for: use)
  }

  /// Reads a provisioning file from its bytes. `file` is the name by which diagnostics refer to the file.
  package func read(
    _ bytes: [UInt8], file: String, variables: [String: String], for use: Use = Use()
  ) throws(CatalogueError) -> Provisioning {
    let document: SpecDocument
    do {
      document = try SpecDocument(file: file, bytes: bytes)
    } catch {
      throw CatalogueError([error])
    }
    try Self.stop(schema.validate(document.value), document, rule: "schema")
    var environment = EnvironmentText(variables)
    let filled = JSONField(Self.filled(document.root, &environment))
    try Self.stop(environment.problems + filled.longTexts, document, rule: "environment")
    var reader = FieldReader()
    var provisioning = reader.provisioning(filled, of: definition)
    let checks = ProvisioningChecks(definition, exchanges: exchanges, use: use)
    for problem in Self.strayHoles(document.root) + checks.problems(of: filled) { reader.report(problem) }
    let secrets = LentSecret.all(in: filled, environment: environment, definition: definition)
    for problem in LentSecret.problems(of: secrets) { reader.report(problem) }
    provisioning.secrets = secrets.map(\.text)
    try Self.stop(reader.problems, document, rule: "value")
    provisioning.start?.place = document.place(of: "start")
    provisioning.probe?.place = document.place(of: "probe")
    return provisioning
  }

  private static func stop(
    _ problems: [JSONField.Problem], _ document: SpecDocument, rule: String
  ) throws(CatalogueError) {
    guard !problems.isEmpty else { return }
    throw CatalogueError(problems.map { document.diagnostic($0, rule: rule) })
  }

  /// The content of the file with environment variables filled in. `environment` does not record variables in URLs and
  /// in the dialect, so that their values do not count as secrets.
  private static func filled(_ root: JSONField, _ environment: inout EnvironmentText) -> JSON {
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
    return .object(object)
  }

  /// Problems of holes in texts that are not templates. The kit would send such a hole unfilled.
  private static func strayHoles(_ root: JSONField) -> [JSONField.Problem] {
    (root.value.object?.members ?? []).filter { !templates.contains($0.key) }.flatMap { member in
      JSONField(member.value, path: JSONPath.root.appending(key: member.key)).strayHoles
    }
  }
}

extension JSONField {
  /// A problem for each text that is longer than ``Bounds/provisioningTextBytes``.
  fileprivate var longTexts: [Problem] {
    guard let text = value.string else {
      return ((try? elements()) ?? (try? members())?.map(\.field) ?? []).flatMap(\.longTexts)
    }
    let (size, most) = (text.utf8.count, Bounds.provisioningTextBytes)
    return size <= most
      ? [] : [Problem(path: path, expected: "a text of at most \(most) bytes", found: "one of \(size)")]
  }

  /// A problem for each hole that does not have the form `${env:NAME}`.
  fileprivate var strayHoles: [Problem] {
    guard let text = value.string else {
      return ((try? elements()) ?? (try? members())?.map(\.field) ?? []).flatMap(\.strayHoles)
    }
    return HoleText(text).pieces.compactMap { piece in
      guard case .hole(let written, let inside) = piece, !inside.hasPrefix(EnvironmentText.mark) else { return nil }
      return Problem(
        path: path, expected: "a text without holes, or with ${env:NAME}", found: "\(written)",
        hint: "only 'hooks', 'cleanUp', 'logins', 'start', 'probe' and 'exchanges' are filled with values")
    }
  }
}

extension SpecDocument {
  fileprivate func place(of member: String) -> Provisioning.Place {
    let path = JSONPath.root.appending(key: member)
    let position = position(of: path)
    return Provisioning.Place(file: file, line: position.line, column: position.column, field: path)
  }
}
