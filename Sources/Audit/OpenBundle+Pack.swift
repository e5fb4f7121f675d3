import Certification
import CommandInterface
import ConformanceSpec
import SpecDocuments
import TextKit

extension ProtocolSource {
  /// Maps the path of each file of the protocol to its content. The paths are relative to the folder of the pack. For a
  /// protocol of the kit, they are relative to the root of the kit's files.
  func files() throws -> [String: [UInt8]] {
    try CatalogueLoader(folder).ownPaths(of: name).reduce(into: [:]) { $0[$1] = try folder.bytes(of: $1) }
  }
}

extension OpenBundle {
  /// Maps the path of each file of the protocol in the bundle to its text.
  fileprivate func packTexts() throws -> [String: String] {
    try pack.reduce(into: [:]) { texts, path in
      texts[path] = try contents(of: BundleName.pack + path).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The digest of the protocol's files in the bundle; nil if the bundle has no such files.
  var packDigest: String? {
    Certificate.packDigest(of: pack.reduce(into: [:]) { $0[$1] = digest(of: BundleName.pack + $1) })
  }
}

extension SourceOptions {
  /// The protocol with this name from the kit or from the options; nil if neither has the protocol.
  func knownSource(_ name: String) throws -> ProtocolSource? { try known().first { $0.name == name } }

  /// The protocol with this name from the files of a bundle; nil for a bundle without such files.
  func ownSource(_ name: String, of bundle: OpenBundle) throws -> ProtocolSource? {
    let texts = try bundle.packTexts()
    guard !texts.isEmpty else { return nil }
    let root = CatalogueFolder(texts: texts)
    // The digest in the place distinguishes the protocols of different bundles.
    let place = "\(bundle.source): pack \(bundle.packDigest ?? "")"
    do {
      if texts["protocol.yaml"] != nil {
        return ProtocolSource(
          name: name, origin: .pack(place), folder: try CatalogueFolder(pack: root), schemaFolder: try schemaFolder)
      }
      return ProtocolSource(name: name, origin: .root(place), folder: root, schemaFolder: try schemaFolder)
    } catch let problem as Diagnostic {
      throw BadInput("\(bundle.source): pack: \(problem)")
    }
  }

  /// The protocol with this name, from the kit or from the options. If neither has the protocol, it comes from the
  /// bundle. So a bundle cannot replace a known protocol.
  func source(_ name: String, in bundle: OpenBundle) throws -> ProtocolSource {
    try knownSource(name) ?? ownSource(name, of: bundle) ?? source(name)
  }
}
