import Certification
import ConformanceReport
import FoundationEssentials

/// The files of a folder by their paths in it, each with its digest.
struct SourceTree {
  /// The most files that a certificate names.
  static let most = 10_000

  private(set) var digests: [String: String] = [:]

  /// Reads a folder, without `.git`. Throws ``BadInput`` for links and other files that have no contents of their own.
  init(_ folder: String) throws {
    var pending = [""]
    while let inner = pending.popLast() {
      for name in try Self.names(in: inner.isEmpty ? folder : "\(folder)/\(inner)") where name != ".git" {
        let path = inner.isEmpty ? name : "\(inner)/\(name)"
        switch try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type] as? FileAttributeType {
        case .typeDirectory: pending.append(path)
        case .typeRegular: digests[path] = try EvidenceFolder.digest(of: "\(folder)/\(path)")
        default: throw BadInput("'\(folder)/\(path)' is a link or no plain file: name a folder of plain files")
        }
        guard digests.count <= Self.most else {
          throw BadInput("'\(folder)' has more than \(Self.most) files: name a clean checkout, or the package")
        }
      }
    }
  }

  private static func names(in folder: String) throws -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw BadInput("cannot read the folder '\(folder)'")
    }
  }

  /// Where the files of a certificate differ from this folder, a sentence each.
  func differences(from artifacts: [Certificate.Artifact], folder: String) -> [String] {
    artifacts.compactMap { artifact in
      guard let digest = digests[artifact.name] else { return "'\(artifact.name)' is not in '\(folder)'" }
      return digest == artifact.digest ? nil : "'\(folder)/\(artifact.name)' is not the file that was certified"
    }
  }

  /// How many files are here that the certificate does not name.
  func unnamed(by artifacts: [Certificate.Artifact]) -> Int {
    let named = Set(artifacts.map(\.name))
    return digests.keys.count { !named.contains($0) }
  }
}
