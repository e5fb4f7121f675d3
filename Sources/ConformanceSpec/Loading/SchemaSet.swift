import JSONKit
import SpecDocuments

/// The published schemas of all kinds of catalogue files, from `spec/schema/`. They are the same for every protocol.
package struct SchemaSet: Sendable {
  private let schemas: [SpecFileKind: JSONSchema]

  /// A set without schemas. It accepts every file, so it fits only files that were validated before and have not
  /// changed since.
  package static let satisfied = SchemaSet(schemas: [:])

  private init(schemas: [SpecFileKind: JSONSchema]) { self.schemas = schemas }

  /// Reads the schemas. Throws if a file is missing or is not a schema.
  package init(_ folder: CatalogueFolder) throws(CatalogueError) {
    var schemas: [SpecFileKind: JSONSchema] = [:]
    var diagnostics: [Diagnostic] = []
    for kind in SpecFileKind.allCases {
      do {
        schemas[kind] = try Self.schema(kind.schemaName, in: folder)
      } catch {
        diagnostics.append(error)
      }
    }
    guard diagnostics.isEmpty else { throw CatalogueError(diagnostics) }
    self.schemas = schemas
  }

  static var paths: [String] { Set(SpecFileKind.allCases.map(\.schemaName)).sorted().map(path) }

  private static func path(_ name: String) -> String { "spec/schema/\(name).schema.json" }

  /// The published schema of this name.
  static func schema(_ name: String, in folder: CatalogueFolder) throws(Diagnostic) -> JSONSchema {
    let path = path(name)
    let document = try SpecDocument(file: path, bytes: try folder.bytes(of: path))
    do {
      return try JSONSchema(document.value)
    } catch {
      throw document.diagnostic(error, rule: "schema")
    }
  }

  func problems(of value: JSON, as kind: SpecFileKind) -> [JSONField.Problem] {
    schemas[kind]?.validate(value) ?? []
  }
}
