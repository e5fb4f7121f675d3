import HTTPValues
import JSONKit
import LinkFortyModel

/// A URL that opened the app, with the data that it contains.
struct LinkURL: Hashable, Sendable {
  /// The hosts whose links the SDK asks the server to resolve. All cases but the first are defects.
  enum Hosts: Hashable, Sendable {
    case configured, alike, any
  }

  /// The URL as received.
  let text: String
  /// The data in the URL; nil if the URL has no short code.
  let data: DeepLinkData?
  /// The one or two path segments after the base URL, decoded, which the server can resolve. Nil for a URL that is not
  /// a link of the configured server.
  let path: [String]?

  init(_ text: String, base: BaseURL, hosts: Hosts = .configured) {
    self.text = text
    guard let url = URLText(text) else {
      (data, path) = (nil, nil)
      return
    }
    let below = LinkURL.segments(of: url, below: base, hosts)
    let decoded = (below ?? LinkURL.appSegments(of: url)).map { PercentEncoding.decode($0) ?? $0 }
    // The last segment is the short code. `.` and `..` would name another resource of the server, so they are not
    // codes.
    guard let code = decoded.last, decoded.allSatisfy({ $0 != "." && $0 != ".." }) else {
      (data, path) = (nil, nil)
      return
    }
    // The fragment is ignored: it belongs to the app's own pages.
    data = LinkURL.read(url.query ?? "", shortCode: code)
    path = below != nil && decoded.count <= 2 ? decoded : nil
  }

  /// The path segments of a URL after the base URL; nil if the URL has a different host, port or path prefix than the
  /// base URL.
  private static func segments(of url: URLText, below base: BaseURL, _ hosts: Hosts) -> [String]? {
    let isOurs =
      switch hosts {
      case .configured: url.host == base.host && url.effectivePort == base.port && url.userInfo == nil
      case .alike: url.host.hasPrefix(base.host)
      case .any: true
      }
    guard isOurs, ["http", "https"].contains(url.scheme) else { return nil }
    guard url.path == base.prefix || url.path.hasPrefix(base.prefix + "/") else { return nil }
    return url.path.dropFirst(base.prefix.count).split(separator: "/").map(String.init)
  }

  /// The route of a URL with the app's own scheme. The host is the first part of the route: `product` in
  /// `myapp://product/123`.
  private static func appSegments(of url: URLText) -> [String] {
    let isWeb = url.scheme == "http" || url.scheme == "https"
    return isWeb || url.host.isEmpty ? url.segments : [url.host] + url.segments
  }

  private static func read(_ query: String, shortCode: String) -> DeepLinkData {
    var campaign = JSON.Object()
    var custom = JSON.Object()
    for (name, value) in PercentEncoding.queryItems(query) {
      if name.hasPrefix("utm_"), DeepLinkData.campaignNames.contains(String(name.dropFirst(4))) {
        campaign[String(name.dropFirst(4))] = .string(value)
      } else {
        custom[name] = .string(value)
      }
    }
    var data = DeepLinkData(["shortCode": .string(shortCode)])
    data.utmParameters = campaign.members.isEmpty ? nil : campaign
    data.customParameters = custom.members.isEmpty ? nil : custom
    return data
  }
}
