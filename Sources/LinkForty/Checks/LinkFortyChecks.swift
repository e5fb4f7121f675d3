import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// The named checks of LinkForty: claims that the case vocabulary cannot express.
package enum LinkFortyChecks {
  /// Every check by the name that cases use.
  package static let all: [String: Check] = [
    "iana-timezone": ianaTimezone, "no-null-members": noNullMembers, "secret-not-leaked": secretNotLeaked,
    "same-events": sameEvents, "timestamps-near-call": timestampsNearCall, "refused-or-kept": refusedOrKept,
    "fingerprint-as-reported": fingerprintAsReported, "resolved-code-delivered": resolvedCodeDelivered,
    "instants-apart": instantsApart, "platform-as-declared": platformAsDeclared,
  ]

  /// The parameters with which a claim selects requests.
  static let window: [Check.Parameter] = [
    .optional("request", .exchange), .optional("at", .service), .optional("after", .label),
    .optional("before", .label),
  ]

  /// The beginning of the placeholder for a secret in evidence.
  static let redacted = "[redacted"

  /// The finding of a check that had nothing to observe. Such a check fails, so that a subject without requests does
  /// not pass.
  static func nothing(_ subject: String) -> [Finding] {
    [Finding(subject: subject, expected: "at least one", observed: "none")]
  }

  /// The requests of the exchange that the claim names under `request`.
  static func requests(_ evidence: Evidence, _ with: JSON, default name: String) -> [Evidence.Observation] {
    evidence.observations(selector(with, default: name))
  }

  private static func selector(_ with: JSON, default name: String) -> Selector {
    Selector(
      .request(exchange: with["request"]?.string ?? name), at: with["at"]?.string.map { ServiceName($0) },
      after: with["after"]?.string, before: with["before"]?.string)
  }
}
