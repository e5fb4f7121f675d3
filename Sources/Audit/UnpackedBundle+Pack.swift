import Certification
import CommandInterface
import ConformanceSpec
import SpecDocuments
import TextKit

extension ProtocolSource {
  /// The files of a protocol that the kit does not contain, by their paths in its folder; empty for other protocols.
  func ownFiles() throws -> [String: [UInt8]] {
    guard case .pack = origin else { return [:] }
    return try CatalogueLoader(folder).ownPaths(of: name).reduce(into: [:]) { $0[$1] = try folder.bytes(of: $1) }
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
  /// The protocol with this name, from the kit or from the options. If neither has the protocol, it comes from the
  /// bundle. So a bundle cannot replace a known protocol.
  func source(_ name: String, in bundle: UnpackedBundle) throws -> ProtocolSource {
    guard !bundle.pack.isEmpty, try !known().contains(where: { $0.name == name }) else { return try source(name) }
    let folder: CatalogueFolder
    do { folder = try CatalogueFolder(pack: bundle.packFolder) } catch {
      throw BadInput("\(bundle.source): pack: \(error)")
    }
    return ProtocolSource(name: name, origin: .pack(bundle.packFolder), folder: folder, schemaFolder: try schemaFolder)
  }
}
