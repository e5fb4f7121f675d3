/// A kind of requirement that something is refused, kept secret or left unchanged. `negativeRequirements` in
/// `coverage.yaml` lists the requirements of each kind.
package enum NegativeKind: String, CaseIterable, Sendable {
  case credential, expiry, identifier, secret, trace
}

/// A form of a refusal that `negativeForms` in `coverage.yaml` describes by the names of values and commands.
package enum NamedForm: String, CaseIterable, Sendable {
  /// Values that have expired, and commands after which something has expired.
  case expired
  /// Values of a different user, app or device.
  case other
  /// Commands about a second user or device.
  case second
}
