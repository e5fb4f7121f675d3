import ConformanceModel
import JSONKit
import SpecDocuments

/// Reads a protocol's catalogue from its folder. It reads several files at the same time.
package struct CatalogueLoader: Sendable {
  private let folder: CatalogueFolder
  private let schemas: SchemaSet?

  /// - Parameter schemas: the schemas, if they have been read already; nil to read the schemas of the folder.
  package init(_ folder: CatalogueFolder, schemas: SchemaSet? = nil) {
    self.folder = folder
    self.schemas = schemas
  }

  /// The catalogue of a protocol. Throws all errors inside its files, each with file and line. ``Linter`` finds the
  /// errors *between* files.
  package static func load(root: String, protocol name: String) async throws(CatalogueError) -> Catalogue {
    try await CatalogueLoader(CatalogueFolder(root: root)).sources(of: name).catalogue
  }

  /// The catalogue with the file and line of each part. Throws the same errors as ``load(root:protocol:)``.
  package func sources(of name: String) async throws(CatalogueError) -> CatalogueSources {
    let known = folder.availableProtocols()
    guard known.contains(name) else {
      throw CatalogueError([
        Diagnostic(
          rule: "files", file: "\(folder.root)/spec", expected: Self.expectation(known), found: "'\(name)'",
          hint: Nearest.suggestion(for: name, in: known))
      ])
    }
    let published = if let schemas { schemas } else { try SchemaSet(folder) }
    let reader = SpecFileReader(folder: folder, schemas: published)
    let files = folder.files(of: name).known
    var diagnostics: [Diagnostic] = []
    var sources: CatalogueSources?
    do {
      sources = CatalogueSources(
        definition: try reader.definition(of: folder.definition(of: name)), isNamedByFolder: folder.namesProtocols)
    } catch {
      diagnostics += error.diagnostics
    }
    // Even without a definition, the other files are read, so that their errors are reported.
    let definition = sources?.definition.value ?? ProtocolDefinition(unreadable: name)
    // States and cases refer to states by name. So the definitions of all names are known before any state or case is
    // read.
    let others = files.filter { $0.kind != .protocol }
    let shared = others.filter { $0.kind == .steps }
    var vocabulary = CaseVocabulary(
      definition, states: shared.flatMap { reader.stateTexts(of: $0) },
      assumptions: shared.reduce(into: [:]) { all, file in
        all.merge(reader.assumptionTexts(of: file)) { first, _ in first }
      })
    vocabulary.isWhole = sources != nil && shared.allSatisfy(reader.canRead)
    var included: [String: [CatalogueSources.Part]] = [:]
    for (file, result) in zip(others, await Self.read(others, with: reader, definition, vocabulary)) {
      switch result {
      case .success(let part):
        if let pack = file.pack { included[pack, default: []].append(part) } else { sources?.append(part) }
      case .failure(let error): diagnostics += error.diagnostics
      }
    }
    guard var sources, diagnostics.isEmpty else { throw CatalogueError(Self.causes(of: diagnostics)) }
    for (pack, parts) in included.sorted(by: { $0.key < $1.key }) { sources.include(parts, of: pack) }
    sources.digest = digest(of: name)
    return sources
  }

  /// The diagnostics to report. If files have an unknown version of the format, this causes most of the other
  /// diagnostics. So only the diagnostics about these versions are returned. Otherwise all diagnostics are returned.
  private static func causes(of diagnostics: [Diagnostic]) -> [Diagnostic] {
    let later = diagnostics.filter { $0.rule == SpecFileReader.versionRule }
    return later.isEmpty ? diagnostics : later
  }

  /// The digest of a protocol's files. Records and transcripts contain this digest.
  package func digest(of name: String) -> String {
    Digest.of(folder.contents(of: folder.files(of: name).known.map(\.path)))
  }

  /// The paths of a protocol's files in its own folder, without the paths of packs that the protocol includes from
  /// another folder.
  package func ownPaths(of name: String) -> [String] {
    folder.files(of: name).known.filter(folder.owns).map(\.path)
  }

  /// The digest of all files that can be the cause of an error in a protocol's files: these files themselves, and the
  /// schemas.
  package func digest(of name: String, schemas: CatalogueFolder) -> String {
    Digest.of(folder.contents(of: folder.files(of: name).known.map(\.path)) + schemas.contents(of: SchemaSet.paths))
  }

  /// The paths of a protocol's files that no part of the kit reads, for diagnostics.
  package func strayFiles(of name: String) -> [String] { folder.files(of: name).stray }

  private static func expectation(_ known: [String]) -> String {
    known.isEmpty ? "a folder with a protocol.yaml" : "one of the protocols " + known.joined(separator: ", ")
  }

  /// Reads the files, each in its own task. Returns the results in the order of the files.
  private static func read(
    _ files: [SpecFile], with reader: SpecFileReader, _ definition: ProtocolDefinition, _ vocabulary: CaseVocabulary
  ) async -> [Result<CatalogueSources.Part, CatalogueError>] {
    await withTaskGroup(of: (Int, Result<CatalogueSources.Part, CatalogueError>).self) { group in
      for (index, file) in files.enumerated() {
        group.addTask {
          (index, Result { () throws(CatalogueError) in try reader.part(of: file, definition: definition, vocabulary) })
        }
      }
      var results: [(Int, Result<CatalogueSources.Part, CatalogueError>)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

extension ProtocolDefinition {
  /// An empty definition, in place of a definition that could not be read.
  fileprivate init(unreadable name: String) {
    self.init(
      name: name, title: name, document: "", revision: "", services: [], roles: [], dialects: [])
  }
}
