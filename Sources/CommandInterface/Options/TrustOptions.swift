import ArgumentParser

/// The option that accepts a record although no available file confirms its baseline.
package struct TrustOptions: ParsableArguments {
  package init() {}

  @Flag(
    help: """
      Trust a record that marks violations as known, even if the baseline of its run is not available. Without the \
      option, the exit code is 3 for such a record.
      """)
  var trustBaseline = false

  /// Prints the assumption of the command. Throws exit code 3 if the user has not accepted the assumption with the
  /// option.
  package func accept(_ assumption: TrustedBaseline?) throws {
    guard let assumption else { return }
    Terminal.error("conform: \(assumption)\(trustBaseline ? "" : TrustedBaseline.advice)\n")
    if !trustBaseline { throw Finished(code: .unjudged) }
  }
}

/// The verdicts with the disposition `known` that depend on an unavailable baseline.
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
