import Foundation

/// The catalogue and fixtures that the program carries with it, in a folder beside it.
package enum ConformanceData {
  /// There is no such folder: the program was moved without it.
  package struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place where the kit looked for it.
    package var folder: String

    package var description: String {
      "the program finds its data no more: it looked in '\(folder)' for spec/ and Fixtures/. Copy that folder along with"
        + " the program, or name one that holds both with --root"
    }
  }

  private static let folderName = "conform_ConformanceData.resources"

  /// The folder that holds `spec` and `Fixtures`. `Bundle.module` would fall back to where the program was built, and
  /// silently take what another build has left there.
  ///
  /// - Throws: ``Missing``.
  package static func root(beside program: String = folderOfProgram) throws(Missing) -> URL {
    let folder = URL(filePath: program).appending(path: folderName)
    guard FileManager.default.fileExists(atPath: folder.appending(path: "spec").path) else {
      throw Missing(folder: folder.path)
    }
    return folder
  }

  /// The folder of a protocol that `conform init protocol` begins with.
  package static func firstProtocol() throws(Missing) -> URL {
    try root().appending(path: "spec/kit/start/my-protocol")
  }

  /// A file or a folder of the examples.
  package static func example(_ path: String) throws(Missing) -> URL { try root().appending(path: "Examples/\(path)") }

  /// This program.
  package static var pathOfProgram: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// The folder of this program.
  package static var folderOfProgram: String {
    let path = pathOfProgram
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
