/// What is wrong with bytes that should be an HTTP/1.1 message.
public struct HTTPProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ways reading can fail.
  public enum Kind: Hashable, Sendable {
    /// The bytes break the grammar of RFC 9112.
    case malformed
    /// The message is larger than the limits.
    case tooLarge
    /// The connection ended inside a message.
    case truncated
    /// The bytes are TLS.
    case tls
  }

  public var kind: Kind
  /// Precisely what was seen, for a person.
  public var text: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  static func malformed(_ text: String) -> HTTPProblem { HTTPProblem(.malformed, text) }
  static func tooLarge(_ text: String) -> HTTPProblem { HTTPProblem(.tooLarge, text) }

  public var description: String { text }
}
