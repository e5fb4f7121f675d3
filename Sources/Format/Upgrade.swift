import ConformanceModel
import ConformanceSpec
import JSONKit
import SpecDocuments
import Templates

/// Rewrites files of the first version of the format as files of the second version, with their comments and layout.
///
/// A person must rewrite `protocol.yaml` first, since a tool cannot invent the new parts of this file. The other files
/// get the names of services and times from `protocol.yaml`.
package struct Upgrade: Sendable {
  /// The first version of the format had only one service; this is the name of that service in the second version.
  let service: String
  /// The names of the services that only the second version has.
  let others: Set<String>
  /// The roles whose subjects an adapter drives.
  private let driven: Set<Role>
  /// Maps each span of time that the protocol defines to its name.
  private let patience: [LogicalTime: String]

  package init(_ definition: ProtocolDefinition) {
    service = definition.services.first?.name.rawValue ?? "main"
    others = Set(definition.services.dropFirst().map(\.name.rawValue))
    driven = Set(definition.drivenRoles)
    patience = Dictionary(definition.patience.map { ($0.time, $0.name) }) { first, _ in first }
  }

  /// Every file of a protocol in the current version. Throws the problems of the protocol's definition, and the syntax
  /// errors of the other files.
  package static func files(
    of name: String, in folder: CatalogueFolder, schemas: SchemaSet? = nil
  ) throws(CatalogueError) -> [Formatter.Formatted] {
    let files = folder.files(of: name).known
    let upgrade = Upgrade(try definition(of: name, in: folder, schemas))
    var results: [Formatter.Formatted] = []
    var errors: [Diagnostic] = []
    for file in files where file.kind != .protocol {
      do {
        let bytes = try folder.bytes(of: file.path)
        let text = try upgrade.text(of: file, bytes: bytes)
        results.append(.init(file: file.place, old: String(decoding: bytes, as: UTF8.self), new: text, diagnostics: []))
      } catch {
        errors.append(error)
      }
    }
    guard errors.isEmpty else { throw CatalogueError(errors) }
    return results
  }

  private static func definition(
    of name: String, in folder: CatalogueFolder, _ schemas: SchemaSet?
  ) throws(CatalogueError) -> ProtocolDefinition {
    let file = folder.definition(of: name)
    do {
      let document = try SpecDocument(file: file.place, bytes: try folder.bytes(of: file.path))
      guard document.value["kit"] == nil else {
        let published = if let schemas { schemas } else { try SchemaSet(folder) }
        let reader = SpecFileReader(folder: folder, schemas: published)
        return try reader.definition(of: file).value
      }
      let version = ProtocolDefinition.formVersion
      let problem = JSONField.Problem(
        path: JSONPath([.key("kit")]), expected: "\(version)", found: "nothing",
        hint: "write 'kit: \(version)', the services and the ports of the roles by hand; the other files follow")
      throw document.diagnostic(problem, rule: "upgrade")
    } catch let error as Diagnostic {
      throw CatalogueError([error])
    } catch let error as CatalogueError {
      throw error
    } catch {
      throw CatalogueError([Diagnostic(rule: "upgrade", file: file.place, expected: "a definition", found: "\(error)")])
    }
  }

  /// A file in the current version; the path is relative to the catalogue's root. A file that already has the current
  /// version is unchanged. Throws a syntax error.
  package func text(of path: String, bytes: [UInt8]) throws(Diagnostic) -> String {
    let parts = path.split(separator: "/", maxSplits: 2).map { String($0) }
    guard parts.count == 3, let tree = SpecTree(rawValue: parts[0]), let kind = SpecFileKind(path: parts[2], tree: tree)
    else { return String(decoding: bytes, as: UTF8.self) }
    return try text(of: SpecFile(kind: kind, path: path, place: path), bytes: bytes)
  }

  private func text(of file: SpecFile, bytes: [UInt8]) throws(Diagnostic) -> String {
    let document = try SpecDocument(file: file.place, bytes: bytes)
    let old = String(decoding: bytes, as: UTF8.self)
    guard document.value["kit"] == nil, document.value.object?.members.isEmpty == false else { return old }
    let isJSON = file.path.hasSuffix(".json")
    let text = SourceText(bytes)
    let root = SourceNode(document, in: text)
    var edits = TextEdits(isJSON: isJSON)
    edits.insertVersion(ProtocolDefinition.formVersion, in: root)
    switch file.kind {
    case .cases:
      for element in root["cases"]?.elements ?? [] {
        var walk = CaseUpgrade(element, self, text: text, edits: edits)
        walk.rewrite()
        edits = walk.edits
      }
    case .exchange, .model:
      var walk = FixtureUpgrade(root, self, text: text, edits: edits)
      walk.rewrite()
      edits = walk.edits
    case .protocol, .requirements, .positions, .steps, .requests, .defects, .shapes, .mutants, .coverage, .server,
      .frozen:
      break
    }
    let new = edits.applied(to: text)
    guard isJSON else { return file.kind == .cases ? renamingAddresses(in: new) : new }
    return try Formatter.format(file: file.place, bytes: Array(new.utf8)).text
  }

  /// The text with the new name of the first service in all holes for its address, such as `${main.url}`. Holes in
  /// comments are changed, too. `$${` does not begin a hole.
  private func renamingAddresses(in text: String) -> String {
    let old = "${main."
    var result = ""
    var rest = text[...]
    while let found = rest.firstRange(of: old) {
      result += rest[..<found.lowerBound]
      let isHole = result.last != "$" && ["url", "port"].contains(rest[found.upperBound...].prefix { $0.isLetter })
      result += isHole ? "${\(service)." : old
      rest = rest[found.upperBound...]
    }
    return result + rest
  }

  /// The current name of a service of the first version.
  func name(of service: String) -> String { service == "main" ? self.service : service }

  /// Whether an adapter drives the subjects of a role.
  func isDriven(_ role: String?) -> Bool { role.map { driven.contains(Role($0)) } ?? false }

  /// The name of a span of time; nil if the span has no name.
  func name(ofTime text: String) -> String? { LogicalTime(text).flatMap { patience[$0] } }

  /// Whether a part of a case refers to one of the ``others``.
  func mentionsOthers(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number: false
    case .string(let text): others.contains { text == $0 || text.contains("${\($0).") }
    case .array(let elements): elements.contains(where: mentionsOthers)
    case .object(let object): object.members.contains { mentionsOthers($0.value) }
    }
  }
}
