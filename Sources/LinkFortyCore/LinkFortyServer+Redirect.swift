import HTTPValues

extension LinkFortyServer {
  /// `GET /:code` and `/:slug/:code`: redirects a browser to the link's destination for the browser's platform. The
  /// request counts as a click.
  mutating func redirect(_ slug: String?, _ code: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    let stale = switches.has(.redirectInactiveFound) ? links[code] : nil
    guard let link = find(slug, code) ?? stale, link.targeting.includes(request) else {
      throw .notFound("Link not found")
    }
    if slug == nil || !switches.has(.attributionSlugsUncounted) { note(link, request) }
    let fallback = link.templateId.flatMap { templates[$0]?.fallbackUrl }
    let agent = UserAgent(request.headers["User-Agent"] ?? "")
    guard let destination = Destination(of: link, fallback: fallback, for: agent) else {
      throw .notFound("No destination URL configured for this link")
    }
    return destination.response
  }
}
