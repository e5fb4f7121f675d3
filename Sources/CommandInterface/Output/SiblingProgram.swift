import ConformanceData
import Glibc
import TextKit

/// A program of the kit that is beside this one, in a build as in a package.
struct SiblingProgram {
  var name: String
  /// The advice for a user whose program is missing.
  var remedy: String

  /// The path of the program; ``BadInput`` if it is missing.
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
