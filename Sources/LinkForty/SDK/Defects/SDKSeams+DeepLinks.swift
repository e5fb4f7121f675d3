import HTTPValues
import JSONKit
import LinkFortyModel
import ReferenceKit

// Links that open the app: reading of the URL.
extension SDKSeams {
  /// The hosts whose links the SDK asks the server to resolve.
  var linkHosts: LinkURL.Hosts {
    if has(.resolveAtLinkHost) || has(.resolveOtherHosts) { return .any }
    return has(.resolveHostByPrefix) ? .alike : .configured
  }

  /// Returns those of the `links` that a new callback receives. They arrived before the first callback was registered.
  func heard(early links: [JSON]) -> [JSON] {
    if has(.urlEarlyLost) { return [] }
    return has(.urlEarlyReplaced) ? links.suffix(1) : links
  }

  /// Whether the SDK ignores a URL that opened the app.
  func loses(_ url: String) -> Bool { has(.urlBadEscapeLost) && PercentEncoding.decode(url) == nil }

  /// The path segments of the link that the resolve request contains; nil if the SDK does not send a resolve request.
  func path(of link: LinkURL) -> [String]? {
    has(.urlBadEscapeUnresolved) && PercentEncoding.decode(link.text) == nil ? nil : link.path
  }
}

// The resolve request.
extension SDKSeams {
  /// Percent-encodes a value for the query of a resolve request.
  func encoded(_ value: String) -> String {
    let encoded = PercentEncoding.encode(value)
    return has(.variantResolvePlusForSpace) ? encoded.replacing("%20", with: "+") : encoded
  }

  /// The resolve request for the URL `text`. With one defect, the SDK sends the request to the host of this URL.
  func bent(question: OutgoingRequest?, about text: String) -> OutgoingRequest? {
    guard has(.resolveAtLinkHost), var question, let url = URLText(text) else { return question }
    question.endpoint.host = url.host
    question.endpoint.port = url.effectivePort ?? question.endpoint.port
    return question
  }

  /// The number of resolve requests that the SDK sends for one URL.
  func questions(callbacks: Int) -> Int {
    has(.resolvePerCallback) ? max(1, callbacks) : 1
  }

  /// The time limit for the answer to a resolve request, in milliseconds; nil if the SDK waits without a limit.
  var patienceWithLinks: Int? {
    if has(.urlWaitsForServer) { return nil }
    if has(.resolveWaitsAMinute) { return 60_000 }
    return has(.resolvePatient) ? 20_000 : SDKCore.Patience.resolve
  }
}

// The answer to a resolve request, and the fallback if there is no answer.
extension SDKSeams {
  /// Whether an answer is a success: any 2xx.
  func isSuccess(_ response: HTTPResponse) -> Bool {
    if (200...299).contains(response.status) { return true }
    return has(.resolveStatusIgnored) && Octets(response.body).json?["shortCode"] != nil
  }

  /// The link in an answer; nil if the answer contains no valid link.
  func readLink(_ body: JSON) -> DeepLinkData? {
    guard let data = (try? DeepLinkData(JSONField(body)))?.canonical else {
      return has(.resolveEmptyAccepted) && body.object != nil ? DeepLinkData(["shortCode": ""]) : nil
    }
    if has(.resolveNullMembersFatal), body.object?.members.contains(where: \.value.isNull) ?? false { return nil }
    return data
  }

  /// The data that the app gets if the URL was not resolved: the data in the URL itself.
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

  /// Whether the callbacks are not called for a URL because its resolve request failed.
  func hides(_ result: Result<HTTPResponse, SDKError>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return has(.urlFailureSilent) && error.kind == .network
  }
}

// Delivery to the app.
extension SDKSeams {
  /// Returns those of the registered callbacks that receive a link, in order.
  func called(_ handles: [String]) -> [String] {
    has(.urlSecondCallbackMissed) ? Array(handles.prefix(1)) : handles
  }

  /// The URL that a callback receives.
  func shown(_ url: String) -> String { has(.urlCutAtQuery) ? String(url.prefix { $0 != "?" }) : url }

  /// The data that a callback receives. Members without a value are left out. In one variant of the
  /// SDK, they are null.
  func shown(_ data: DeepLinkData?) -> JSON {
    guard let data, has(.variantLinkNullMembers) else { return data?.representation ?? .null }
    func filled(_ names: [String], _ object: JSON.Object?) -> JSON.Object {
      JSON.Object(names.map { .init(key: $0, value: object?[$0] ?? .null) })
    }
    var shown = filled(DeepLinkData.names, data.members)
    shown["utmParameters"] = .object(filled(DeepLinkData.campaignNames, data.utmParameters))
    return .object(shown)
  }
}
