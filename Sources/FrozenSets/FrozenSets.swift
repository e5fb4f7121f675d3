import ConformanceSpec
import SpecDocuments

/// The frozen sets of a protocol, the oldest first.
package struct FrozenSets: Sendable {
  package private(set) var all: [Located<FrozenSet>] = []

  /// Reads the sets. Throws ``CatalogueError`` for a file that is not a frozen set.
  package init(of name: String, in folder: CatalogueFolder) throws(CatalogueError) {
    for file in folder.files(of: name).known where file.kind == .frozen {
      do throws(Diagnostic) {
        let document = try SpecDocument(file: file.place, bytes: try folder.bytes(of: file.path))
        all.append(Located(try Self.set(in: document), in: document, at: .root))
      } catch {
        throw CatalogueError([error])
      }
    }
    all.sort { ($0.value.since, $0.value.revision) < ($1.value.since, $1.value.revision) }
  }

  private static func set(in document: SpecDocument) throws(Diagnostic) -> FrozenSet {
    do { return try FrozenSet(document.root) } catch { throw document.diagnostic(error, rule: "value") }
  }

  /// The set that new certificates are about; nil if the protocol has no set.
  package var newest: FrozenSet? { all.last?.value }

  /// The name of the next frozen set for this revision: the revision itself or, if it already has sets, the revision
  /// with the next free number.
  package func nextRevision(after revision: String) -> String {
    let names = Set(all.map(\.value.revision))
    guard names.contains(revision) else { return revision }
    let number = (2...).first { !names.contains("\(revision)-\($0)") } ?? 2
    return "\(revision)-\(number)"
  }

  /// The path of the file of a set, below the folder's root.
  package static func path(of revision: String, _ name: String, in folder: CatalogueFolder) -> String {
    let definition = folder.definition(of: name).path
    return "\(definition.dropLast("protocol.yaml".count))\(FrozenSet.folder)/\(revision).yaml"
  }
}
