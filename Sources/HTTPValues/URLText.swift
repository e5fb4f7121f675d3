/// The parts of a URL (RFC 3986 §3) as written: except for the scheme, which is in lower case, no byte is decoded,
/// normalised or dropped.
package struct URLText: Hashable, Sendable {
  /// The scheme in lower case.
  package var scheme: String?
  /// The text before the `@` of the authority; nil if the authority has no `@`.
  package var userInfo: String?
  /// The host as written; an IPv6 address includes its brackets. Empty if the URL has no authority.
  package var rawHost: String
  package var port: Int?
  /// The path as written, with its leading slash if it has one.
  package var path: String
  package var query: String?
  package var fragment: String?

  /// Parses a text. Returns nil if the text contains white space or control characters, has no scheme, or has an
  /// invalid port or IPv6 address.
  package init?(_ text: String) {
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else { return nil }
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon]
    guard let first = name.first, first.isASCII, first.isLetter, name.allSatisfy(\.isSchemeCharacter) else {
      return nil
    }
    scheme = name.lowercased()
    var rest = text[text.index(after: colon)...]
    fragment = rest.cut(at: "#")
    query = rest.cut(at: "?")
    guard rest.hasPrefix("//") else {
      (userInfo, rawHost, port, path) = (nil, "", nil, String(rest))
      return
    }
    rest = rest.dropFirst(2)
    let authority = rest.prefix { $0 != "/" }
    path = String(rest[authority.endIndex...])
    guard let parsed = Authority(authority) else { return nil }
    (userInfo, rawHost, port) = (parsed.userInfo, parsed.host, parsed.port)
  }

  /// The user information in the first URL of `text`: the part between `://` and the last `@` of the authority. The URL
  /// may be malformed, since a secret in a malformed URL must be redacted, too.
  package static func userInfo(of text: String) -> String? {
    guard let mark = text.firstRange(of: "://") else { return nil }
    let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
    return authority.lastIndex(of: "@").map { String(authority[..<$0]) }
  }

  /// The host in lower case. Hosts are compared without case (RFC 3986 §3.2.2).
  package var host: String { rawHost.lowercased() }

  /// The port, or the default port of the scheme.
  package var effectivePort: Int? { port ?? ["http": 80, "https": 443][scheme ?? ""] }

  /// The parts of the path between its slashes, as written. Empty parts are left out.
  package var segments: [String] { path.split(separator: "/").map(String.init) }
}

/// User information, host and port of a URL (RFC 3986 §3.2).
private struct Authority {
  var userInfo: String?
  var host: String
  var port: Int?

  init?(_ text: Substring) {
    var rest = text
    // The last `@` ends the user information: text before it never names the host.
    if let at = rest.lastIndex(of: "@") {
      userInfo = String(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[...end])
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
    } else {
      let name = rest.prefix { $0 != ":" }
      host = String(name)
      rest = rest[name.endIndex...]
    }
    guard rest.first == ":", rest.count > 1 else { return }
    let digits = rest.dropFirst()
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), (1...65535).contains(number)
    else { return nil }
    port = number
  }
}

extension Substring {
  /// Removes the first mark and the text after it, and returns the text after the mark; nil if the mark does not occur.
  fileprivate mutating func cut(at mark: Character) -> String? {
    guard let index = firstIndex(of: mark) else { return nil }
    let tail = String(self[self.index(after: index)...])
    self = self[..<index]
    return tail
  }
}

extension Character {
  fileprivate var isSchemeCharacter: Bool { isASCII && (isLetter || isNumber || "+-.".contains(self)) }
}
