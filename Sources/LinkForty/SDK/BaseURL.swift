import ConformanceWire
import HTTPValues

/// The URL of the LinkForty server: https, or plain http if the host is exactly `localhost` or `127.0.0.1`.
package struct BaseURL: Hashable, Sendable {
  /// The constraints on the URL. The default values follow the specification; defects change them.
  struct Rules: Hashable, Sendable {
    var schemes = ["http", "https"]
    /// The hosts for which plain http is allowed.
    var localHosts = ["localhost", "127.0.0.1"]
    var allowsAnyHost = false
    var matchesHostByPrefix = false
    var trustsUserInfo = false
    var allowsEmpty = false
    var repairs = false
    var isCaseSensitive = false
    var keepsTrailingSlash = false

    /// The text that is parsed as the URL. Without a defect, it is the app's text.
    func adopted(_ text: String) -> String {
      if allowsEmpty, text.allSatisfy(\.isWhitespace) { return "http://localhost" }
      return repairs && (URLText(text)?.host ?? "").isEmpty ? "https://localhost" : text
    }

    /// Whether the host of the URL is the developer's own machine.
    func isLocal(_ url: URLText) -> Bool {
      if allowsAnyHost || localHosts.contains(url.host) { return true }
      if matchesHostByPrefix, localHosts.contains(where: { url.host.hasPrefix($0) }) { return true }
      return trustsUserInfo && localHosts.contains(String((url.userInfo ?? "").prefix { $0 != ":" }))
    }
  }

  package var isTLS: Bool
  /// The host in lower case.
  package var host: String
  package var port: Int
  /// The path of the base URL without a slash at its end, such as `/links`; empty for the root.
  package var prefix: String
  /// Scheme, host, port and prefix as in the app's text, without a slash at the end.
  package var text: String

  /// The server to which the SDK connects.
  var endpoint: WireEndpoint { WireEndpoint(host: host, port: port, isTLS: isTLS) }

  init(_ text: String, rules: Rules) throws(SDKError) {
    let text = rules.adopted(text)
    guard let url = URLText(text), let scheme = url.scheme, rules.schemes.contains(scheme) else {
      throw BaseURL.refusal(text, "must be an https URL")
    }
    guard !url.host.isEmpty, url.host.unicodeScalars.allSatisfy(BaseURL.canBeInHost) else {
      throw BaseURL.refusal(text, "has no host")
    }
    guard url.userInfo == nil || rules.trustsUserInfo else { throw BaseURL.refusal(text, "must not name a user") }
    guard scheme == "https" || rules.isLocal(url) else {
      throw BaseURL.refusal(text, "must be https; plain http is for localhost and 127.0.0.1")
    }
    guard url.query == nil, url.fragment == nil else { throw BaseURL.refusal(text, "must not have query or fragment") }
    if rules.isCaseSensitive, text != text.lowercased() { throw BaseURL.refusal(text, "must be in lower case") }
    isTLS = scheme == "https"
    host = url.host
    port = url.port ?? (isTLS ? 443 : 80)
    self.text = text.withoutTrailingSlashes
    prefix = url.path.withoutTrailingSlashes
    if rules.keepsTrailingSlash, url.path.hasSuffix("/") { prefix += "/" }
  }

  /// Whether the character may occur in a host name or address. The brackets of IPv6 addresses are allowed.
  private static func canBeInHost(_ scalar: UnicodeScalar) -> Bool {
    scalar.value > 0x7F || scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
      || "-._~[]:%".unicodeScalars.contains(scalar)
  }

  private static func refusal(_ text: String, _ reason: String) -> SDKError {
    SDKError(.invalidConfiguration, "baseUrl \(reason), found '\(text)'")
  }
}

extension String {
  fileprivate var withoutTrailingSlashes: String {
    var text = self[...]
    while text.hasSuffix("/") { text.removeLast() }
    return String(text)
  }
}
