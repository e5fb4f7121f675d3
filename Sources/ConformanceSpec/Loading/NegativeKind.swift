/// The kinds of requirements by which a subject must refuse something, keep it secret or leave it unchanged.
/// `negativeRequirements` in `coverage.yaml` lists the requirements of each kind.
package enum NegativeKind: String, CaseIterable, Sendable {
  case credential, expiry, identifier, secret, trace
}

/// The forms in which a case can try something that must be refused or kept secret, if the kit cannot recognise the
/// form by itself. `negativeForms` in `coverage.yaml` lists values and commands that show each form.
package enum NamedForm: String, CaseIterable, Sendable {
  /// A credential, code or link that has expired. The list contains values that have expired, and commands that let
  /// something expire.
  case expired
  /// A valid credential of a different user, app or device. The list contains such credentials.
  case other
  /// A second user or device takes part. The list contains commands about it.
  case second
}
