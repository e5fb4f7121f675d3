/// The command that starts an adapter: a program, its arguments, and additions to the kit's own environment.
package struct ProgramCommand: Hashable, Sendable {
  /// A path if it contains a `/`, and otherwise a name that is looked up in `PATH`.
  package var executable: String
  package var arguments: [String]
  /// Environment variables of the adapter. They are added to the kit's environment, and replace variables with the same
  /// name.
  package var environment: [String: String]

  package init(executable: String, arguments: [String] = [], environment: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// Splits a command line such as `MODE=a python3 adapter.py --x 'a b'` into words. No shell is involved.
  ///
  /// Blanks separate words. `'…'` quotes all characters, `"…"` all but `\"` and `\\`, and a backslash quotes the next
  /// character. Words of the form `NAME=value` at the beginning set variables. Throws for syntax that needs a shell
  /// (pipes, `$HOME`).
  package init(shellLike text: String) throws(ProgramFailure) {
    var splitter = CommandLineSplitter(text)
    let words = try splitter.words()
    let assignments = words.prefix { $0.assignment != nil }
    guard let program = words.dropFirst(assignments.count).first else {
      throw ProgramFailure(
        .command,
        "the command \(text.isEmpty ? "is empty" : "'\(text)' names no program")"
          + "; expected a program and its arguments, such as 'python3 adapter.py'")
    }
    executable = program.text
    arguments = words.dropFirst(assignments.count + 1).map(\.text)
    environment = [:]
    for case let (name, value)? in assignments.map(\.assignment) { environment[name] = value }
  }
}

extension ProgramCommand: CustomStringConvertible {
  /// The command as a line that ``init(shellLike:)`` and any shell parse to the same words.
  package var description: String {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\(CommandLineSplitter.quote($0.value))" }
    let words = [executable] + arguments
    return (variables + words.map(CommandLineSplitter.quote)).joined(separator: " ")
  }
}
