import ReferenceKit

/// The legal variants of the reference SDK.
package enum SentianceSwitch: String, SwitchList {
  /// Sends the names of header fields in lower case, as newer HTTP libraries do.
  case variantSmallHeaders = "headers.small"
  /// Sends bodies in chunks, without a `Content-Length`.
  case variantChunked = "bodies.chunked"
  /// Uses a new connection for each request.
  case variantClosedConnections = "connections.closed"
  /// Waits only half a minute for the report of a linker. After this time, the link has failed.
  case variantShortLinker = "linker.half-a-minute"
  /// If a linker fails, the install that the platform has created is kept, and the next creation uses it.
  case variantKeptInstall = "install.kept"
  /// Reports `UNEXPECTED_ERROR` and not `SERVER_ERROR` if the platform permanently refuses a creation or a link.
  case variantUnexpectedRefusal = "refusal.unexpected-error"

  package var isVariant: Bool { true }
}
