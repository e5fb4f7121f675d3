import HTTPValues
import JSONKit
import LinkFortyModel
import Templates

extension LinkFortyServer {
  /// `POST /api/sdk/v1/links`: creates a link from the template that the server chooses.
  mutating func createLink(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    try authorize(request)
    let body = try checkedBody(request, linkRules)
    let made = try make(body, template: templates[Seeds.templateId])
    return .json(linkStatus, result(made, request).representation)
  }

  /// `POST /api/links`: creates a link from the template in the request. Core does not require a template.
  mutating func createLinkFromTemplate(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    if !dialect.isCore { try authorize(request) }
    let body = try checkedBody(request, dashboardRules)
    let named = body["templateId"]?.string?.lowercased()
    var template = named.flatMap { templates[$0] }
    if switches.has(.linksFirstTemplateOnly), template != nil { template = templates[Seeds.templateId] }
    if template == nil, named != nil { throw unknownTemplate }
    let lost = switches.has(.linksDashboardLosesParameters) ? ["deepLinkParameters"] : []
    let made = try make(JSON.Object(body.members.filter { !lost.contains($0.key) }), template: template)
    let row = row(of: made.link)
    if dialect.isCore { return .json(200, .object(row)) }
    return .json(linkStatus, .object(JSON.Object(result(made, request).members.members + row.members)))
  }

  private typealias Made = (link: Link, isOld: Bool)

  private var linkStatus: Int { switches.has(.variantCreated) ? 201 : 200 }

  private var unknownTemplate: Refusal {
    guard dialect.isCore else { return .notFound("Template not found") }
    return .failure(
      code: "23503",
      message: "insert or update on table \"links\" violates foreign key constraint \"links_template_id_fkey\"")
  }

  private mutating func make(_ body: JSON.Object, template: LinkTemplate?) throws(Refusal) -> Made {
    let origin = origin(of: body, template)
    if let origin, let old = links.values.first(where: { $0.origin == origin && isThere($0) }) { return (old, true) }
    let code = try shortCode(body["customCode"]?.string)
    let data = DeepLinkData(["shortCode": .string(code), "linkId": .string(makeID())])
    var link = Link(data: data, templateSlug: template?.slug, templateId: template?.id)
    link.take(body)
    if switches.has(.linksParametersLost) { link.data.customParameters = nil }
    link.targeting = Targeting(body["targetingRules"])
    link.origin = origin
    link.createdAt = now
    if !switches.has(.linksUnresolvable) { links[code] = link }
    return (link, false)
  }

  /// Whether a link that exists already can be returned in place of a new one.
  private func isThere(_ link: Link) -> Bool { link.isLive(at: now) || switches.has(.linksDeadAgain) }

  /// The value for ``Link/origin``: the same user gets the same link for the same options. Nil if the request always
  /// gets a new link, because it names no user or the server is Core.
  private func origin(of body: JSON.Object, _ template: LinkTemplate?) -> String? {
    guard !dialect.isCore, !switches.has(.linksNeverDeduplicated), body["externalUserId"]?.string != nil else {
      return nil
    }
    let ignored =
      (switches.has(.linksUsersIgnored) ? ["externalUserId"] : [])
      + (switches.has(.linksParametersAlike) ? ["deepLinkParameters"] : [])
    let members = body.members.filter { !ignored.contains($0.key) }
    return (template?.id ?? "") + JSON.object(JSON.Object(members.sorted { $0.key < $1.key })).compactText
  }

  /// The requested code if it is available, and otherwise a random code. The dialect Core accepts every text as a code.
  /// If the requested code is in use, Core gives the new link a random code and reports no error.
  private mutating func shortCode(_ wanted: String?) throws(Refusal) -> String {
    guard let wanted, !switches.has(.linksCodeIgnored) else { return random.shortCode() }
    if links[wanted] != nil {
      if dialect.isCore || switches.has(.linksCodeReplaced) { return random.shortCode() }
      if switches.has(.linksCodeOverwritten) { return wanted }
      throw .conflict("The custom code is taken")
    }
    let isValid = wanted.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    let isFree = isValid && !["api", "health"].contains(wanted.lowercased())
    guard dialect.isCore || isFree || switches.has(.linksCodeUnchecked) else {
      throw .invalid([FieldIssue(member: "customCode", problem: .malformed("short code"))], failure: "")
    }
    return wanted
  }

  private func result(_ made: Made, _ request: HTTPRequest) -> CreateLinkResult {
    let host = request.headers["Host"] ?? "go.example.com"
    let scheme = request.headers["X-Forwarded-Proto"] ?? "http"
    let isSilent = switches.has(.variantDeduplicatedWhenTrue) && !made.isOld
    return CreateLinkResult(
      url: "\(scheme)://\(host)\(made.link.path)", shortCode: made.link.shortCode, linkId: made.link.data.linkId ?? "",
      deduplicated: isSilent ? nil : made.isOld)
  }

  /// The link as JSON, in the form in which Core returns the row of its database.
  func row(of link: Link) -> JSON.Object {
    func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
    func value(_ name: String) -> JSON { link.data.members[name] ?? .null }
    return [
      "id": value("linkId"), "short_code": .string(link.shortCode), "template_id": text(link.templateId),
      "title": text(link.title), "description": text(link.details), "original_url": text(link.originalUrl),
      "ios_app_store_url": value("iosUrl"), "android_app_store_url": value("androidUrl"),
      "web_fallback_url": value("webUrl"), "deep_link_path": value("deepLinkPath"),
      "app_scheme": value("appScheme"), "is_active": .bool(link.isActive),
      "attribution_window_hours": .int(link.attributionWindowHours),
      "expires_at": text(link.expiresAt.map { Timestamp(milliseconds: $0).text }),
      "created_at": text(Timestamp(milliseconds: link.createdAt).text),
      "clickCount": .int(clicks.count { $0.shortCode == link.shortCode }),
      "utmParameters": .object(link.data.utmParameters ?? [:]), "targetingRules": [:],
      "deepLinkParameters": .object(link.data.customParameters ?? [:]),
    ]
  }
}
