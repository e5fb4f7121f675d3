/// How an adapter is started: a program, its arguments, and what is added to the kit's own environment.
package struct AdapterCommand: Hashable, Sendable {
  /// A path when it holds a `/`, otherwise a name that is looked up in `PATH`.
  package var executable: String
  package var arguments: [String]
  /// Variables that the adapter gets besides, or instead of, those of the kit.
  package var environment: [String: String]

  package init(executable: String, arguments: [String] = [], environment: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  /// Splits a command line such as `MODE=a python3 adapter.py --x 'a b'` into words, without any shell.
  ///
  /// Blanks separate words, `'…'` keeps everything, `"…"` keeps all but `\"` and `\\`, a backslash keeps the next
  /// character. Words like `NAME=value` in front are variables. What only a shell could do (pipes, `$HOME`) is refused.
  package init(shellLike text: String) throws(AdapterFailure) {
    var splitter = CommandLineSplitter(text)
    let words = try splitter.words()
    let assignments = words.prefix { $0.assignment != nil }
    guard let program = words.dropFirst(assignments.count).first else {
      throw AdapterFailure(
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

extension AdapterCommand: CustomStringConvertible {
  /// The command as ``init(shellLike:)`` and any shell read it.
  package var description: String {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\(CommandLineSplitter.quote($0.value))" }
    let words = [executable] + arguments
    return (variables + words.map(CommandLineSplitter.quote)).joined(separator: " ")
  }
}
