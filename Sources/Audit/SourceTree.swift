import Certification
import CommandInterface
import ConformanceSpec
import FoundationEssentials
import TextKit

/// The digests of the files in a folder, by the paths of the files in the folder.
package struct SourceTree {
  /// The largest number of files that a certificate lists.
  static let most = 10_000

  package private(set) var digests: [String: String] = [:]

  /// Reads a folder without its subfolder `.git`. Throws ``BadInput`` if the folder contains a link, a pipe, a device
  /// or a socket.
  package init(_ folder: String) throws {
    let paths = try FolderWalk.files(below: folder, without: [".git"], most: Self.most) { path in
      throw BadInput("'\(folder)/\(path)' is not a regular file: name a folder of regular files")
    }
    for path in paths { digests[path] = try Digest.ofFile("\(folder)/\(path)") }
  }

  /// One sentence for each file of a certificate that is missing in this folder or has a different digest here.
  package func differences(from artifacts: [Certificate.Artifact], folder: String) -> [String] {
    artifacts.sorted { $0.name < $1.name }.compactMap { artifact in
      guard let digest = digests[artifact.name] else { return "'\(artifact.name)' is not in '\(folder)'" }
      return digest == artifact.digest ? nil : "'\(folder)/\(artifact.name)' is not the file that was certified"
    }
  }

  /// The number of files in this folder that the certificate does not name.
  package func unnamed(by artifacts: [Certificate.Artifact]) -> Int {
    let named = Set(artifacts.map(\.name))
    return digests.keys.count { !named.contains($0) }
  }
}
