import ConformanceModel
import JSONKit

/// A URL that opened the app, and what it says by itself.
struct LinkURL: Hashable, Sendable {
  /// How a URL is read. The defaults are the rules; defects bend them.
  struct Reading: Hashable, Sendable {
    var decodesQuery = true
    var decodesNames = true
    var keepsCampaignInCustom = false
    /// The campaign parameters that are known, if not all.
    var campaign: Set<String>?
    var readsFragment = false
    var lowersCode = false
    var takesFirstSegment = false
    var countsTrailingSlash = false
    var readsAppSchemes = true
    var countsBasePath = false
    var matchesHostByPrefix = false
    var asksAnyHost = false
  }

  /// The URL as it was handed over.
  let text: String
  /// What can be read from the URL; nil when it has no short code.
  let data: DeepLinkData?
  /// The segments below the base URL that the server resolves, decoded: one or two. nil for a URL that is not a link
  /// of the configured server.
  let path: [String]?

  init(_ text: String, base: BaseURL, reading: Reading = Reading()) {
    self.text = text
    guard let url = URLText(text) else {
      (data, path) = (nil, nil)
      return
    }
    let below = LinkURL.segments(of: url, below: base, reading)
    let all = below ?? LinkURL.appSegments(of: url)
    let decoded = all.map { PercentEncoding.decode($0) ?? $0 }
    // `.` and `..` would name another resource of the server, so they are no codes.
    guard let code = reading.code(of: decoded), decoded.allSatisfy({ $0 != "." && $0 != ".." }),
      below != nil || reading.readsAppSchemes
    else {
      (data, path) = (nil, nil)
      return
    }
    data = LinkURL.read(reading.query(of: url), shortCode: code, reading)
    path = below != nil && decoded.count <= 2 ? decoded : nil
  }

  /// The segments of a URL that lies below the base URL: same host, same port, same path in front.
  private static func segments(of url: URLText, below base: BaseURL, _ reading: Reading) -> [String]? {
    let isSame = url.host == base.host && url.effectivePort == base.port
    let looksAlike = reading.matchesHostByPrefix && url.host.hasPrefix(base.host)
    let isOurs = isSame && url.userInfo == nil || looksAlike || reading.asksAnyHost
    guard isOurs, ["http", "https"].contains(url.scheme) else { return nil }
    guard url.path == base.prefix || url.path.hasPrefix(base.prefix + "/") else { return nil }
    let path = reading.countsBasePath ? url.path[...] : url.path.dropFirst(base.prefix.count)
    let segments = path.split(separator: "/").map(String.init)
    return reading.countsTrailingSlash && path.hasSuffix("/") && !segments.isEmpty ? segments + [""] : segments
  }

  /// In `myapp://product/123` the host is the first part of the route.
  private static func appSegments(of url: URLText) -> [String] {
    let isWeb = url.scheme == "http" || url.scheme == "https"
    return isWeb || url.host.isEmpty ? url.segments : [url.host] + url.segments
  }

  private static func read(_ query: String, shortCode: String, _ reading: Reading) -> DeepLinkData {
    var campaign: [String: String] = [:]
    var custom = JSON.Object()
    for (name, value) in reading.items(query) {
      let member = UTMParameters.queryNames.first { $0.query == name }?.member
      if let member, reading.campaign?.contains(member) ?? true { campaign[member] = value }
      if member == nil || reading.keepsCampaignInCustom { custom[name] = .string(value) }
    }
    let utm = UTMParameters(
      source: campaign["source"], medium: campaign["medium"], campaign: campaign["campaign"], term: campaign["term"],
      content: campaign["content"])
    return DeepLinkData(
      shortCode: shortCode, utmParameters: utm.isEmpty ? nil : utm,
      customParameters: custom.members.isEmpty ? nil : custom)
  }
}

extension LinkURL.Reading {
  /// The last segment is the short code.
  fileprivate func code(of segments: [String]) -> String? {
    let code = takesFirstSegment ? segments.first : segments.last
    return lowersCode ? code?.lowercased() : code
  }

  /// What the parameters are read from. The fragment is for the app's own pages.
  fileprivate func query(of url: URLText) -> String {
    [url.query, readsFragment ? url.fragment : nil].compactMap(\.self).joined(separator: "&")
  }

  fileprivate func items(_ query: String) -> [(name: String, value: String)] {
    if decodesQuery, decodesNames { return PercentEncoding.queryItems(query) }
    return PercentEncoding.rawQueryItems(query).map { name, value in
      (name, decodesQuery ? PercentEncoding.decode(value) ?? value : value)
    }
  }
}
