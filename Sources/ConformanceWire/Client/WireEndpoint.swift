/// Where a server listens.
package struct WireEndpoint: Hashable, Sendable {
  /// A name or an address, IPv6 without brackets.
  package var host: String
  package var port: Int
  package var isTLS: Bool

  package init(host: String, port: Int, isTLS: Bool = false) {
    self.host = host
    self.port = port
    self.isTLS = isTLS
  }

  /// Reads a base URL, `http://host`, `https://host:8443/path`, `http://[::1]:80`; nil for anything else.
  ///
  /// Path, query and fragment are left to the caller; user information is refused (RFC 9110 §4.2.4).
  package init?(url: String) {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
    let scheme = url[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let authority = url[url.index(colon, offsetBy: 3)...].prefix { !"/?#".contains($0) }
    guard let (host, port) = Self.split(authority) else { return nil }
    self.init(host: host, port: port ?? (scheme == "https" ? 443 : 80), isTLS: scheme == "https")
  }

  /// What belongs into a Host field: the port only where it is not the scheme's own.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isTLS ? 443 : 80) ? name : "\(name):\(port)"
  }

  private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
    var host = authority
    var rest: Substring = ""
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[..<end].dropFirst()
      rest = authority[authority.index(after: end)...]
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || ":.".contains($0) }) else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      rest = authority.dropFirst(host.count)
      guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !host.contains("@") else { return nil }
    }
    guard !host.isEmpty else { return nil }
    if rest.isEmpty || rest == ":" { return (String(host), nil) }
    let digits = rest.dropFirst()
    guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
      (1...65535).contains(port)
    else { return nil }
    return (String(host), port)
  }
}
