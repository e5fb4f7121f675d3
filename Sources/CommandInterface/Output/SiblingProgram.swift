import ConformanceData
import Glibc
import TextKit

/// Another program of the kit. It is in the same folder as this program, both in a build and in a package.
struct SiblingProgram {
  var name: String
  /// The advice to the user if the program is missing.
  var remedy: String

  /// The path of the program. Throws ``BadInput`` if the file does not exist.
  var path: String {
    get throws(BadInput) {
      let folder = ConformanceData.folderOfProgram
      let path = "\(folder)/\(name)"
      guard access(path, X_OK) == 0 else {
        throw BadInput("the program '\(name)' is not beside this one in '\(folder)': \(remedy)")
      }
      return path
    }
  }
}
