import HTTPValues
import JSONKit
import LinkFortyModel
import Templates

extension LinkFortyServer {
  /// `GET /api/sdk/v1/resolve/…`: returns the content of a link without a redirect. The request counts as a click.
  mutating func resolve(_ slug: String?, _ code: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    let link = try found(slug, code)
    note(link, request)
    var data = link.data
    data[text: "clickedAt"] = Timestamp(milliseconds: now).text
    return .json(200, resolved(data))
  }

  /// The link with this code; nil if the link is not live, or does not belong to the template that the path names.
  func find(_ slug: String?, _ code: String) -> Link? {
    guard let link = links[code], link.isLive(at: now), slug == nil || slug == link.templateSlug else { return nil }
    return link
  }

  private func found(_ slug: String?, _ code: String) throws(Refusal) -> Link {
    if let link = find(slug, code) { return link }
    if switches.has(.resolveUnknownFound), links[code] == nil { return Seeds.fullLink }
    if switches.has(.resolveCaseIgnored),
      let link = links.values.first(where: { $0.shortCode.equalsIgnoringCase(code) }), link.isLive(at: now)
    {
      return link
    }
    guard let link = links[code] else { throw .notFound("Link not found") }
    let isThere =
      (slug == nil || slug == link.templateSlug || switches.has(.resolveWrongSlugFound))
      && (link.isActive || switches.has(.resolveInactiveFound))
      && (!link.hasExpired(at: now) || switches.has(.resolveExpiredFound))
    guard isThere else { throw .notFound("Link not found") }
    return link
  }

  /// The content of a link as the dialect returns it. Members without a value are left out. The two maps of parameters
  /// are left out only in ``ServerDialect/spec``; the other dialects always include them.
  private func resolved(_ data: DeepLinkData) -> JSON {
    var data = data
    if dialect == .spec {
      data.customParameters = data.customParameters?.asTexts
    } else {
      data.utmParameters = data.utmParameters ?? [:]
      data.customParameters = data.customParameters ?? [:]
    }
    if dialect.saysWhetherDeferred { data.members["isDeferred"] = false }
    if switches.has(.variantAbsentAsNull) {
      for name in DeepLinkData.texts where data.members[name] == nil { data.members[name] = .null }
    }
    return data.representation
  }

  /// Records a click. Core stores at most ten characters of a language, and loses a click whose language is longer.
  mutating func note(_ link: Link, _ request: HTTPRequest) {
    let language = request.queryItems.first { $0.name == "fp_lang" }?.value ?? ""
    if dialect.isCore, language.count > 10 { return }
    if switches.has(.attributionLatestOfNetwork) {
      let newest = FingerprintMatcher.Device(clicking: request)
      clicks.removeAll { $0.device.address == newest.address }
    }
    clicks.append(Click(shortCode: link.shortCode, at: now, device: FingerprintMatcher.Device(clicking: request)))
  }
}

extension JSON.Object {
  /// The map with texts as values, as DeepLinkData requires: any other value is replaced by its JSON text.
  fileprivate var asTexts: JSON.Object {
    JSON.Object(
      members.map { .init(key: $0.key, value: $0.value.string == nil ? .string($0.value.compactText) : $0.value) })
  }
}
