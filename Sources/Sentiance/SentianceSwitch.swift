import ReferenceKit

/// The legal variants of the reference SDK.
package enum SentianceSwitch: String, SwitchList {
  /// Header names in lower case, as later HTTP libraries write them.
  case variantSmallHeaders = "headers.small"
  /// Bodies in chunks instead of with a length.
  case variantChunked = "bodies.chunked"
  /// A separate connection for each request.
  case variantClosedConnections = "connections.closed"
  /// A linker that does not report fails after half a minute.
  case variantShortLinker = "linker.half-a-minute"
  /// After a failed linker, the next creation uses the existing install.
  case variantKeptInstall = "install.kept"
  /// A refusal of the platform is an unexpected error.
  case variantUnexpectedRefusal = "refusal.unexpected-error"

  package var isVariant: Bool { true }
}
