import ArgumentParser

/// The option with which a command accepts a record that marks violations as known, even if the baseline of its run is
/// not available.
package struct TrustOptions: ParsableArguments {
  package init() {}

  @Flag(
    help: """
      Trust a record that marks violations as known, even if the baseline of its run is not available. Without the \
      option, the exit code is 3 for such a record.
      """)
  var trustBaseline = false

  /// Prints which unavailable baseline the record depends on, if any. Throws ``Finished`` with exit code 3 if the user
  /// has not accepted this with `--trust-baseline`.
  package func accept(_ assumption: TrustedBaseline?) throws {
    guard let assumption else { return }
    Terminal.error("conform: \(assumption)\(trustBaseline ? "" : TrustedBaseline.advice)\n")
    if !trustBaseline { throw Finished(code: .unjudged) }
  }
}

/// A baseline that is not available, and the number of verdicts with the disposition `known` that depend on it.
package struct TrustedBaseline: Sendable, CustomStringConvertible {
  var record: String
  var baseline: String
  var verdicts: Int

  static let advice = "; put that file beside the record, or accept this with --trust-baseline"

  package init(record: String, baseline: String, verdicts: Int) {
    self.record = record
    self.baseline = baseline
    self.verdicts = verdicts
  }

  package var description: String {
    "\(record): nothing here confirms the \(verdicts) verdicts that it calls known: the baseline '\(baseline)' of its "
      + "run is not here, or is another today"
  }
}
