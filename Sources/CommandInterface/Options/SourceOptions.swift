import ArgumentParser
import ConformanceData
import ConformanceSpec
import FoundationEssentials
import TextKit

/// The options that choose where the program looks for protocols: in its own data (or in the folder of `--root` in its
/// place), in the packs of `--pack`, and in the packs that an environment variable names.
package struct SourceOptions: ParsableArguments, Sendable {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "A folder with spec/ and Fixtures/, which replace the data of the program.", valueName: "folder"),
    completion: .directory)
  var root: String?

  @Option(
    help: ArgumentHelp(
      "The folder of a pack, or a folder of packs. The variable CONFORM_PACKS=dir:dir adds further packs.",
      valueName: "folder"), completion: .directory)
  var pack: String?

  /// The environment variable that names packs. It contains paths, separated by colons. Each path is a pack, or a
  /// folder that contains packs.
  private static let variable = "CONFORM_PACKS"

  /// The protocol with this name. Without a name, it is the only protocol of `--pack`. Without `--pack`, it is the
  /// default protocol, or the only available protocol if the default protocol is not available.
  package func source(_ name: String?) throws -> ProtocolSource {
    let known = try known()
    if let name {
      guard let source = known.first(where: { $0.name == name }) else {
        throw BadInput.unknown("protocol", name, known.map(\.name), list: "protocols")
      }
      return source
    }
    let given = try pack.map(Self.packs) ?? []
    let meant = known.filter { source in given.contains { source.origin == .pack($0) } }
    if let usual = known.first(where: { $0.name == Packs.usual }), pack == nil { return usual }
    let candidates = pack == nil ? known : meant
    guard candidates.count == 1 else {
      throw BadInput(
        "several protocols are available: choose one with --protocol (\(candidates.map(\.name).joined(separator: ", ")))"
      )
    }
    return candidates[0]
  }

  /// Every available protocol. Protocols of packs come last.
  package func known() throws -> [ProtocolSource] {
    let schemas = try schemaFolder
    let rooted = try rootFolder
    var known = rooted.availableProtocols().map { name in
      ProtocolSource(name: name, origin: root.map { .root($0) } ?? .program, folder: rooted, schemaFolder: schemas)
    }
    if let root, known.isEmpty || !FileManager.default.fileExists(atPath: root + "/Fixtures") {
      throw BadInput(
        "--root expects a folder with spec/\(Packs.usual)/protocol.yaml, or that of another protocol, and Fixtures/;"
          + " found \(known.isEmpty ? "none" : "no Fixtures/") in '\(root)'")
    }
    for folder in try packFolders() {
      let files = try CatalogueFolder(pack: folder)
      for name in files.availableProtocols() {
        if let twin = known.first(where: { $0.name == name }) {
          throw BadInput(
            "two protocols are called '\(name)': \(twin.place) and \(folder); rename one in its protocol.yaml, or leave "
              + "its folder out")
        }
        known.append(ProtocolSource(name: name, origin: .pack(folder), folder: files, schemaFolder: schemas))
      }
    }
    return known
  }

  /// The folder that contains the published schemas. The program uses its own schemas for all data. A program that was
  /// moved without its schemas uses the schemas of `--root`.
  package var schemaFolder: CatalogueFolder {
    get throws {
      guard let carried = try? ConformanceData.root().path else { return try rootFolder }
      return CatalogueFolder(root: carried)
    }
  }

  private var rootFolder: CatalogueFolder {
    get throws {
      if let root { return CatalogueFolder(root: root, shownAs: root) }
      do throws(ConformanceData.Missing) { return CatalogueFolder(root: try ConformanceData.root().path) } catch {
        throw BadInput(error.description)
      }
    }
  }

  /// The folders of all packs, without duplicates.
  private func packFolders() throws -> [String] {
    var folders = try pack.map(Self.packs) ?? []
    let named = ProcessInfo.processInfo.environment[Self.variable] ?? ""
    for folder in try named.split(separator: ":").flatMap({ try Self.packs(below: String($0), named: Self.variable) })
    where !folders.contains(where: { Self.isSame($0, folder) }) {
      folders.append(folder)
    }
    return folders
  }

  private static func packs(below folder: String) throws -> [String] { try packs(below: folder, named: "--pack") }

  /// The packs at a path: the folder itself if it is a pack, otherwise the packs directly below the folder.
  private static func packs(below folder: String, named option: String) throws -> [String] {
    let folder = folder.count > 1 ? String(folder.reversed().drop { $0 == "/" }.reversed()) : folder
    if CatalogueFolder.isPack(folder) { return [folder] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let packs = names.sorted().map { "\(folder)/\($0)" }.filter(CatalogueFolder.isPack)
    guard packs.isEmpty else { return packs }
    let isRoot = FileManager.default.fileExists(atPath: folder + "/spec")
    throw BadInput(
      "\(option) expects a folder with a protocol.yaml, or a folder of such folders; found none in '\(folder)': "
        + (isRoot
          ? "it looks like a root with spec/, which is given with --root"
          : "'conform init protocol NAME \(folder)' writes one"))
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    URL(filePath: one).resolvingSymlinksInPath().path == URL(filePath: other).resolvingSymlinksInPath().path
  }
}
