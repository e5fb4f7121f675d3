import HTTPValues

/// The address of a server.
package struct WireEndpoint: Hashable, Sendable {
  /// A host name or an IP address. An IPv6 address has no brackets.
  package var host: String
  package var port: Int
  package var isTLS: Bool

  package init(host: String, port: Int, isTLS: Bool = false) {
    self.host = host
    self.port = port
    self.isTLS = isTLS
  }

  /// The endpoint of an HTTP URL, such as `http://host`, `https://host:8443/path`, `http://[::1]:80`; nil for anything
  /// else.
  ///
  /// Path, query and fragment are ignored. A URL with user information is refused (RFC 9110 §4.2.4).
  package init?(_ url: URLText) {
    guard let port = url.effectivePort, url.scheme == "http" || url.scheme == "https", url.userInfo == nil,
      let host = Self.host(url.rawHost)
    else { return nil }
    self.init(host: host, port: port, isTLS: url.scheme == "https")
  }

  /// Parses a URL; nil if the text is not an HTTP URL.
  package init?(url: String) {
    guard let url = URLText(url) else { return nil }
    self.init(url)
  }

  /// The value of a Host field. The value contains the port unless the port is the scheme's default.
  package var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isTLS ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The host name, or the IP address without brackets; nil for any other text.
  private static func host(_ text: String) -> String? {
    guard text.hasPrefix("[") else {
      let isName = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
      return isName ? text : nil
    }
    let address = text.dropFirst().dropLast()
    let isAddress = address.contains(":") && address.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    return isAddress ? String(address) : nil
  }
}
