import ReferenceKit

/// What the reference SDK can be made to do otherwise.
package enum SentianceSwitch: String, SwitchList {
  /// Header names in small letters, as HTTP libraries of later versions write them.
  case variantSmallHeaders = "headers.small"
  /// Bodies in chunks instead of with a length.
  case variantChunked = "bodies.chunked"
  /// A connection for each request.
  case variantClosedConnections = "connections.closed"
  /// A linker that says nothing has failed after half a minute.
  case variantShortLinker = "linker.half-a-minute"
  /// After a linker has failed the next creation uses the install that is there.
  case variantKeptInstall = "install.kept"
  /// What the platform refuses is an unexpected error.
  case variantUnexpectedRefusal = "refusal.unexpected-error"

  package var isVariant: Bool { true }
}
