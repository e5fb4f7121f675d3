import Foundation

/// The catalogue, the fixtures and the examples that belong to the program. They are in a folder beside the program.
package enum ConformanceData {
  /// The error if the folder with the data is missing, for example because the program was moved without it.
  package struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path at which the kit looked for the folder.
    package var folder: String

    package var description: String {
      "the program finds its data no more: it looked in '\(folder)' for spec/ and Fixtures/. Copy that folder along with"
        + " the program, or name one that holds both with --root"
    }
  }

  private static let folderName = "conform_ConformanceData.resources"

  /// The folder that contains `spec` and `Fixtures`. This function does not use `Bundle.module`, which would fall back
  /// to the build folder and silently use the data of a different build.
  ///
  /// - Throws: ``Missing``.
  package static func root(beside program: String = folderOfProgram) throws(Missing) -> URL {
    let folder = URL(filePath: program).appending(path: folderName)
    guard FileManager.default.fileExists(atPath: folder.appending(path: "spec").path) else {
      throw Missing(folder: folder.path)
    }
    return folder
  }

  /// The folder that `conform init protocol` copies as the beginning of a new protocol.
  package static func firstProtocol() throws(Missing) -> URL {
    try root().appending(path: "spec/kit/start/my-protocol")
  }

  /// A file or a folder of the examples.
  package static func example(_ path: String) throws(Missing) -> URL { try root().appending(path: "Examples/\(path)") }

  /// The path of this program.
  package static var pathOfProgram: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }

  /// The folder of this program.
  package static var folderOfProgram: String {
    let path = pathOfProgram
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
