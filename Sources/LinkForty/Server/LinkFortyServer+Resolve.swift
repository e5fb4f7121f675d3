import ConformanceModel
import JSONKit

extension LinkFortyServer {
  /// `GET /api/sdk/v1/resolve/…`: what a link carries, without following it. It counts as a click.
  mutating func resolve(_ slug: String?, _ code: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    if switches.has(.resolveNeedsKey) { try authorize(request) }
    try failForDefects(slug, code, request)
    let link = try found(slug, code)
    note(link, request)
    var data = link.data
    data.clickedAt = Timestamp(milliseconds: now).text
    return .json(200, resolved(data))
  }

  /// The link of this code, which must be live and of this template when the path names one.
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

  /// Members that the link does not have are left out; Core always says the two maps.
  private func resolved(_ data: DeepLinkData) -> JSON {
    var data = data
    if switches.has(.resolveOtherShortCode) { data.shortCode = data.linkId ?? "" }
    if switches.has(.resolveLegacyNames) {
      return data.legacyRepresentation(confidenceScore: 0, matchedFactors: [])
    }
    if dialect == .spec, !switches.has(.resolveCustomValuesAsStored) {
      data.customParameters = data.customParameters?.asTexts
    }
    if dialect != .spec {
      data.utmParameters = data.utmParameters ?? UTMParameters()
      data.customParameters = data.customParameters ?? [:]
    }
    if dialect.saysWhetherDeferred { data.others["isDeferred"] = false }
    guard var members = data.representation.object else { return data.representation }
    for name in DeepLinkData.optionalTexts where members[name] == nil {
      if switches.has(.variantAbsentAsNull) { members[name] = .null }
      if switches.has(.resolveAbsentAsEmpty) { members[name] = "" }
    }
    return .object(members)
  }

  /// Where the defects that break resolving are switched on.
  private func failForDefects(_ slug: String?, _ code: String, _ request: HTTPRequest) throws(Refusal) {
    let hasLongValue = request.queryItems.contains { $0.value.count > 10 }
    if switches.has(.resolveFingerprintCrashes), hasLongValue {
      throw .failure(code: "22001", message: "value too long")
    }
    if switches.has(.resolveFingerprintRequired), request.query == nil {
      throw .invalid([FieldIssue(member: "fp_tz", problem: .missing(.text))], failure: "")
    }
    if switches.has(.resolveOddCodesCrash), code.unicodeScalars.contains(where: { !$0.isASCII || $0.value < 0x20 }) {
      throw .failure(code: "22021", message: "invalid byte sequence")
    }
    if switches.has(.resolveTwoSegmentsMissing), slug != nil { throw .notFound("Link not found") }
  }

  /// Remembers who came. Core stores a language of at most ten characters, and loses the click with a longer one.
  mutating func note(_ link: Link, _ request: HTTPRequest) {
    let language = request.queryItems.first { $0.name == "fp_lang" }?.value ?? ""
    if dialect.isCore, language.count > 10 { return }
    clicks.append(Click(shortCode: link.shortCode, at: now, device: FingerprintMatcher.Device(clicking: request)))
  }
}

extension DeepLinkData {
  /// The members that are texts and may be missing.
  fileprivate static let optionalTexts = ["iosUrl", "androidUrl", "webUrl", "deepLinkPath", "appScheme"]
}

extension JSON.Object {
  /// A map of text to text, as the model has it: other values as their JSON.
  fileprivate var asTexts: JSON.Object {
    JSON.Object(
      members.map { .init(key: $0.key, value: $0.value.string == nil ? .string($0.value.compactText) : $0.value) })
  }
}
