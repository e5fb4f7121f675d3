import ConformanceVerdict

/// The end of a subcommand, with its result.
package struct Finished: Error {
  package var code: ConformanceVerdict.ExitCode
  /// An object whose release would take long. The end of the process releases it faster.
  package var work: (any Sendable)?

  package init(code: ConformanceVerdict.ExitCode, work: (any Sendable)? = nil) {
    self.code = code
    self.work = work
  }
}
