import ReferenceKit

/// What the reference SDK can be made to do otherwise.
package enum EngageSwitch: String, SwitchList {
  /// Header names in small letters, as HTTP libraries of later versions write them.
  case variantSmallHeaders = "headers.small"
  /// Bodies in chunks instead of with a length.
  case variantChunked = "bodies.chunked"
  /// What failed rests for a minute.
  case variantLongPause = "retry.after-a-minute"
  /// A failed request is tried again only when there is other reason, never by a timer.
  case variantNoTimer = "retry.without-timer"
  /// A contact token that is known travels with a registration too.
  case variantTokenWithRegistration = "registration.with-contact-token"

  package var isVariant: Bool { true }
}
