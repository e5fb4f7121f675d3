import Glibc

/// Finds a program as a shell does. Its error says why the program cannot be executed.
enum ExecutableSearch {
  /// The path of the program: the name itself if it contains a `/`, and otherwise the first executable file in the
  /// folders of the search path.
  static func path(of name: String, searchPath: String) throws(ProgramFailure) -> String {
    if name.contains("/") {
      switch kind(of: name) {
      case .program: return name
      case .nothing: throw ProgramFailure(.start, "the file '\(name)' does not exist: give the path of the program")
      case .folder: throw ProgramFailure(.start, "'\(name)' is a folder: give the path of a program in it")
      case .other:
        throw ProgramFailure(
          .start, "'\(name)' is not executable: run chmod +x on it, or name its interpreter, as in 'python3 \(name)'")
      }
    }
    let folders = searchPath.split(separator: ":")
    for folder in folders where kind(of: "\(folder)/\(name)") == .program { return "\(folder)/\(name)" }
    throw ProgramFailure(
      .start, "there is no program '\(name)' in PATH (\(searchPath)): install it, or give its path, such as './\(name)'"
    )
  }

  private enum Kind { case nothing, folder, program, other }

  private static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    return access(path, X_OK) == 0 ? .program : .other
  }
}
