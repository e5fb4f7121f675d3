import CommandInterface
import ConformanceSpec
import FoundationEssentials
import TextKit

/// Reads the pack of an earlier revision of a protocol. The protocol must have the same name in both revisions.
enum EarlierPack {
  /// The protocol `name` in a folder. The folder is a pack, or a root that contains the protocol in `spec/`.
  static func source(
    at folder: String, of name: String, schemas: CatalogueFolder
  ) throws(BadInput) -> ProtocolSource {
    let isPack = CatalogueFolder.isPack(folder)
    let files: CatalogueFolder
    do { files = isPack ? try CatalogueFolder(pack: folder) : CatalogueFolder(root: folder, shownAs: folder) } catch {
      throw BadInput("\(error)")
    }
    guard files.availableProtocols().contains(name) else {
      throw BadInput(
        "--earlier-pack expects a pack of the protocol '\(name)', or a root that contains it in spec/; found neither in '\(folder)'"
      )
    }
    return ProtocolSource(
      name: name, origin: isPack ? .pack(folder) : .root(folder), folder: files, schemaFolder: schemas)
  }
}
