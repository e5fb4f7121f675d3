import ConformanceVerdict

/// Ends a subcommand with an exit code.
package struct Finished: Error {
  package var code: ConformanceVerdict.ExitCode
  /// An object whose release would take long. It is kept until the process ends, because the end of the process is
  /// faster.
  package var work: (any Sendable)?

  package init(code: ConformanceVerdict.ExitCode, work: (any Sendable)? = nil) {
    self.code = code
    self.work = work
  }
}
