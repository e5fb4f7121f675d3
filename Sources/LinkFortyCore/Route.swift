import HTTPValues

/// The target of a request. Paths are case sensitive, and a trailing slash counts.
package enum Route: Hashable, Sendable {
  case health
  case install
  case event
  case resolve(slug: String?, code: String)
  case createLink
  case createLinkFromTemplate
  /// The routes for operators of Core: all links, one link, all templates, one template, and the health of the server.
  case links
  case link(id: String)
  case templates
  case template(id: String)
  case operation(isReadiness: Bool)
  /// The file that lists the apps of a platform that open the links of this host.
  case association(UserAgent.Platform)
  /// The CORS preflight of a browser.
  case preflight
  /// A link that a browser opens.
  case redirect(slug: String?, code: String)

  /// The route for a method and a raw path; nil if the server has no route for them.
  init?(method: String, path: String) {
    switch (method, path) {
    case ("GET", "/api/sdk/v1/health"), ("HEAD", "/api/sdk/v1/health"): self = .health
    case ("POST", "/api/sdk/v1/install"): self = .install
    case ("POST", "/api/sdk/v1/event"): self = .event
    case ("POST", "/api/sdk/v1/links"): self = .createLink
    case ("POST", "/api/links"): self = .createLinkFromTemplate
    case ("GET", "/api/links"): self = .links
    case ("GET", "/api/templates"), ("POST", "/api/templates"): self = .templates
    case ("GET", "/health"): self = .operation(isReadiness: false)
    case ("GET", "/health/ready"): self = .operation(isReadiness: true)
    case ("GET", "/.well-known/apple-app-site-association"): self = .association(.ios)
    case ("GET", "/.well-known/assetlinks.json"): self = .association(.android)
    case ("OPTIONS", _): self = .preflight
    case ("GET", _), ("HEAD", _), ("PUT", _), ("DELETE", _):
      if method != "HEAD", let id = Route.identifier(path, below: "/api/links/") {
        self = .link(id: id)
      } else if method != "HEAD", let id = Route.identifier(path, below: "/api/templates/") {
        self = .template(id: id)
      } else if method == "PUT" || method == "DELETE" {
        return nil
      } else if let parameters = Route.parameters(path, below: "/api/sdk/v1/resolve/") {
        self = .resolve(slug: parameters.slug, code: parameters.code)
      } else if let parameters = Route.parameters(path, below: "/") {
        self = .redirect(slug: parameters.slug, code: parameters.code)
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// The only segment after the prefix; nil if the path does not have exactly one segment after it.
  private static func identifier(_ path: String, below prefix: String) -> String? {
    guard let parameters = parameters(path, below: prefix), parameters.slug == nil else { return nil }
    return parameters.code
  }

  /// Whether Core has the route, and the hosted service does not.
  var isOfCore: Bool {
    switch self {
    case .links, .link, .templates, .template, .operation: true
    default: false
    }
  }

  /// The one or two segments after the prefix, decoded. nil if the path has more segments, or if a segment is longer
  /// than 100 characters.
  private static func parameters(_ path: String, below prefix: String) -> (slug: String?, code: String)? {
    guard path.hasPrefix(prefix) else { return nil }
    let segments = path.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    let decoded = segments.compactMap { PercentEncoding.decode($0) }
    guard (1...2).contains(segments.count), decoded.count == segments.count,
      decoded.allSatisfy({ $0.count <= 100 }), let code = decoded.last
    else { return nil }
    return (decoded.count == 2 ? decoded[0] : nil, code)
  }
}
