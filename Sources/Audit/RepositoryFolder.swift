import Certification
import ConformanceSpec
import ConformanceTranscript
import Files
import FoundationEssentials
import JSONKit
import Records
import SpecDocuments

/// A folder that is a checkout of an SDK's repository. Links are not followed.
package struct RepositoryFolder {
  /// The largest number of files that are inspected.
  private static let most = 50_000
  /// At most this number of bytes is read from a file.
  private static let longest = 1 << 20
  /// The names of folders that the inspection skips, because tools generate or download the files in them.
  private static let foreign: Set = [
    ".git", ".build", ".dart_tool", ".gradle", ".venv", "Pods", "build", "dist", "node_modules", "target", "vendor",
  ]

  let folder: String

  /// The file in which an SDK lists the names of its functions for each flow of the protocol, such as `initialization`.
  static let ownFile = "conformance.yaml"

  package init(folder: String) {
    self.folder = folder
  }

  /// One sentence for each file of the tested SDK that is missing in this folder or has a different digest here.
  package func differences(from build: SubjectBuild) -> [String] {
    build.artifacts.compactMap { file in
      guard let digest = try? Digest.ofFile("\(folder)/\(file.name)") else {
        return "the adapter named the file '\(file.name)', which is not in '\(folder)'"
      }
      return digest == file.digest ? nil : "'\(folder)/\(file.name)' is not the file that the adapter named"
    }
  }

  /// Prepares the inspection of this folder. Throws ``BadInput`` for a folder that cannot be read.
  package func inspection() throws -> RepositoryInspection {
    let paths = try FolderWalk.files(below: folder, without: Self.foreign, most: Self.most)
    let folder = folder
    let repository = Repository(paths: paths) { path in
      let bytes = (try? InputFile.contents(of: "\(folder)/\(path)", atMost: Self.longest)) ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    return RepositoryInspection(repository, ownCalls: paths.contains(Self.ownFile) ? try ownCalls() : [:])
  }
}

extension RepositoryFolder {
  /// The names of the SDK's functions for each flow, from the member `flows` of `conformance.yaml`. Throws if the file
  /// has any other member.
  fileprivate func ownCalls() throws -> [String: [String]] {
    let path = "\(folder)/\(Self.ownFile)"
    let bytes = try InputFile.contents(of: path, atMost: Self.longest)
    let document: SpecDocument
    do { document = try SpecDocument(file: path, bytes: bytes) } catch { throw CatalogueError([error]) }
    do throws(JSONField.Problem) {
      for member in try document.root.members() where member.key != "flows" {
        throw member.field.problem(expected: "the member 'flows' and no other")
      }
      var calls: [String: [String]] = [:]
      for flow in try document.root.required("flows").members() {
        for name in try flow.field.elements() { calls[flow.key, default: []].append(try name.string()) }
      }
      return calls
    } catch {
      throw CatalogueError([document.diagnostic(error, rule: "value")])
    }
  }
}
