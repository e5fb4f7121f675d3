/// An error in bytes that should be an HTTP/1.1 message.
package struct HTTPProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Kind: Hashable, Sendable {
    /// The bytes violate the grammar of RFC 9112.
    case malformed
    /// The message is larger than the limits.
    case tooLarge
    /// The connection ended inside a message.
    case truncated
    /// The bytes are TLS.
    case tls
  }

  package var kind: Kind
  /// The description of the error, for people.
  package var text: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  static func malformed(_ text: String) -> HTTPProblem { HTTPProblem(.malformed, text) }
  static func tooLarge(_ text: String) -> HTTPProblem { HTTPProblem(.tooLarge, text) }

  package var description: String { text }
}
