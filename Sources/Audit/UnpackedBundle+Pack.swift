import Certification
import CommandInterface
import ConformanceSpec
import SpecDocuments
import TextKit

extension ProtocolSource {
  /// The files of the protocol by their paths: below the folder of a pack, or below the root for a protocol of the kit.
  func files() throws -> [String: [UInt8]] {
    try CatalogueLoader(folder).ownPaths(of: name).reduce(into: [:]) { $0[$1] = try folder.bytes(of: $1) }
  }
}

extension UnpackedBundle {
  /// The folder of the protocol's files.
  var packFolder: String { path(of: String(BundleName.pack.dropLast())) }

  /// The digest of the protocol's files; nil if the bundle has none.
  var packDigest: String? {
    Certificate.packDigest(of: pack.reduce(into: [:]) { $0[$1] = digests[BundleName.pack + $1] })
  }
}

extension SourceOptions {
  /// The protocol with this name from the kit or from the options; nil if neither has the protocol.
  func knownSource(_ name: String) throws -> ProtocolSource? { try known().first { $0.name == name } }

  /// The protocol with this name from the files of a bundle; nil for a bundle without such files.
  func ownSource(_ name: String, of bundle: UnpackedBundle) throws -> ProtocolSource? {
    guard !bundle.pack.isEmpty else { return nil }
    let folder = bundle.packFolder
    do {
      if CatalogueFolder.isPack(folder) {
        return ProtocolSource(
          name: name, origin: .pack(folder), folder: try CatalogueFolder(pack: folder), schemaFolder: try schemaFolder)
      }
      let root = CatalogueFolder(root: folder, shownAs: folder)
      return ProtocolSource(name: name, origin: .root(folder), folder: root, schemaFolder: try schemaFolder)
    } catch let problem as Diagnostic {
      throw BadInput("\(bundle.source): pack: \(problem)")
    }
  }

  /// The protocol with this name, from the kit or from the options. If neither has the protocol, it comes from the
  /// bundle. So a bundle cannot replace a known protocol.
  func source(_ name: String, in bundle: UnpackedBundle) throws -> ProtocolSource {
    try knownSource(name) ?? ownSource(name, of: bundle) ?? source(name)
  }
}
