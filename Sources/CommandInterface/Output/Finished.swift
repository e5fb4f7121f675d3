import ConformanceVerdict

/// Ends a subcommand with an exit code.
package struct Finished: Error {
  package var code: ConformanceVerdict.ExitCode
  /// An object that would take long to release. It is kept until the process ends, because the system frees the memory
  /// of a process faster.
  package var work: (any Sendable)?

  package init(code: ConformanceVerdict.ExitCode, work: (any Sendable)? = nil) {
    self.code = code
    self.work = work
  }
}
