import ConformanceModel
import JSONKit
import ReferenceKit

// Links that open the app: how the URL is read.
extension SDKSeams {
  var reading: LinkURL.Reading {
    LinkURL.Reading(
      decodesQuery: !has(.urlQueryNotDecoded), decodesNames: !has(.urlNamesNotDecoded),
      keepsCampaignInCustom: has(.urlCampaignInCustom),
      campaign: has(.urlThreeCampaignParameters) ? ["source", "medium", "campaign"] : nil,
      readsFragment: has(.urlFragmentRead), lowersCode: has(.urlCodeLowerCased),
      takesFirstSegment: has(.urlFirstSegmentIsCode), countsTrailingSlash: has(.urlTrailingSlashCounts),
      readsAppSchemes: !has(.urlAppSchemeUnread), countsBasePath: has(.resolveBasePathInLink),
      matchesHostByPrefix: has(.resolveHostByPrefix), asksAnyHost: has(.resolveAtLinkHost) || has(.resolveOtherHosts))
  }

  /// Whether a URL that the app has handed over is dropped.
  func loses(_ url: String) -> Bool { has(.urlBadEscapeLost) && PercentEncoding.decode(url) == nil }

  /// The segments to ask the server about; nil when it is not asked.
  func path(of link: LinkURL) -> [String]? {
    has(.urlBadEscapeUnresolved) && PercentEncoding.decode(link.text) == nil ? nil : link.path
  }
}

// The question to the server.
extension SDKSeams {
  /// A value of the query as it travels.
  func encoded(_ value: String) -> String {
    if has(.resolveQueryRaw) { return value }
    let encoded = PercentEncoding.encode(value)
    return has(.variantResolvePlusForSpace) ? encoded.replacing("%20", with: "+") : encoded
  }

  /// Method and path of the question; the segments are decoded.
  func line(resolving path: [String]) -> GoldenRequests<LinkFortyExchange>.Line {
    var path = has(.resolveSlugDropped) ? path.suffix(1) : path
    if has(.resolveSlugLast) { path.reverse() }
    let encode = { has(.resolvePathRaw) ? $0 : PercentEncoding.encode($0) }
    var line =
      path.count > 1
      ? LinkFortyExchange.golden.line(
        of: .resolveTemplate, ["templateSlug": path[0], "shortCode": path[1]], encoding: encode)
      : LinkFortyExchange.golden.line(of: .resolve, ["shortCode": path[0]], encoding: encode)
    if has(.resolveCodeAsQuery), let last = line.path.lastIndex(of: "/") {
      line.path = line.path[..<last] + "?code=" + line.path[last...].dropFirst()
    }
    return line
  }

  /// The question about the link of a URL.
  func bent(question: OutgoingRequest?, about text: String) -> OutgoingRequest? {
    guard var question, let url = URLText(text) else { return question }
    if has(.resolveAtLinkHost) {
      question.endpoint.host = url.host
      question.endpoint.port = url.effectivePort ?? question.endpoint.port
    }
    if has(.resolveFragmentSent), let fragment = url.fragment {
      question.request.target += "&fragment=\(PercentEncoding.encode(fragment))"
    }
    if has(.resolveCampaignSent) {
      let campaign = (url.query ?? "").split(separator: "&").filter { $0.hasPrefix("utm_") }
      question.request.target += campaign.map { "&\($0)" }.joined()
    }
    return question
  }

  /// How often the question is asked.
  func questions(callbacks: Int) -> Int {
    has(.resolvePerCallback) ? max(1, callbacks) : 1
  }

  /// How long the answer is waited for; nil for ever.
  var patienceWithLinks: Int? {
    if has(.urlWaitsForServer) { return nil }
    if has(.resolveWaitsAMinute) { return 60_000 }
    return has(.resolvePatient) ? 20_000 : SDKCore.Patience.resolve
  }
}

// The answer, and what is done without one.
extension SDKSeams {
  /// Whether an answer is one of success, which is any 2xx.
  func isSuccess(_ response: HTTPResponse) -> Bool {
    if (200...299).contains(response.status) { return true }
    return has(.resolveStatusIgnored) && Octets(response.body).json?["shortCode"] != nil
  }

  /// The link in an answer; nil when there is none.
  func readLink(_ body: JSON) -> DeepLinkData? {
    guard let data = (try? DeepLinkData(JSONField(body)))?.canonical else {
      return has(.resolveEmptyAccepted) && body.object != nil ? DeepLinkData(shortCode: "") : nil
    }
    let custom = data.customParameters?.members ?? []
    if has(.resolveTextOnly), custom.contains(where: { $0.value.string == nil }) { return nil }
    if has(.resolveNullMembersFatal), body.object?.members.contains(where: \.value.isNull) ?? false { return nil }
    return data
  }

  /// What the app gets of a link that the server knows.
  func joined(_ remote: DeepLinkData, _ local: DeepLinkData) -> DeepLinkData {
    if has(.resolveMerges) { return remote.merged(over: local) }
    guard has(.resolveURLWins) else { return remote }
    var data = remote
    data.customParameters = local.merged(over: remote).customParameters
    data.utmParameters = local.utmParameters ?? remote.utmParameters
    return data
  }

  /// What the app gets when nothing was resolved: what the URL says.
  func fallback(_ local: DeepLinkData, after result: Result<HTTPResponse, SDKError>) -> DeepLinkData? {
    let isLost: Bool
    switch result {
    case .failure(let error):
      isLost =
        has(.resolveServerErrorNull) && (error.status ?? 0) >= 500 || has(.resolveNetworkNull) && error.kind == .network
    case .success(let response):
      isLost = has(.resolveGarbageNull) && Octets(response.body).json?.object == nil
    }
    return isLost || has(.resolveNoFallback) ? nil : local
  }

  /// Whether a failure keeps the URL from the app.
  func hides(_ result: Result<HTTPResponse, SDKError>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return has(.urlFailureSilent) && error.kind == .network
  }
}

// What reaches the app.
extension SDKSeams {
  /// The callbacks that a link goes to, one after the other.
  func called(_ handles: [String]) -> [String] {
    has(.urlSecondCallbackMissed) ? Array(handles.prefix(1)) : handles
  }

  /// The URL as a callback sees it.
  func shown(_ url: String) -> String { has(.urlCutAtQuery) ? String(url.prefix { $0 != "?" }) : url }

  /// The data as a callback sees them: what is absent is left out.
  func shown(_ data: DeepLinkData?) -> JSON {
    guard let data, has(.variantLinkNullMembers) else { return data?.representation ?? .null }
    var shown = JSON.Object()
    for name in DeepLinkData.memberNames { shown[name] = data.representation[name] ?? .null }
    var campaign = JSON.Object()
    for name in UTMParameters.queryNames.map(\.member) {
      campaign[name] = data.utmParameters?.representation[name] ?? .null
    }
    shown["utmParameters"] = .object(campaign)
    return .object(shown)
  }
}

extension DeepLinkData {
  /// The members of the model, in its order.
  fileprivate static let memberNames = [
    "shortCode", "iosUrl", "androidUrl", "webUrl", "utmParameters", "customParameters", "deepLinkPath", "appScheme",
    "clickedAt", "linkId",
  ]

  /// The data with what the other has beside it, which nobody should do.
  fileprivate func merged(over other: DeepLinkData) -> DeepLinkData {
    var data = self
    var custom = other.customParameters ?? [:]
    for member in customParameters?.members ?? [] { custom[member.key] = member.value }
    data.customParameters = custom
    data.utmParameters = utmParameters ?? other.utmParameters
    return data
  }
}
