import ConformanceModel
import JSONKit
import ReferenceKit

// User identity.
extension SDKSeams {
  /// The user id that a call sets, as it is kept.
  func kept(user: String?, was former: String?) -> String? {
    if has(.userIDNullIgnored), user == nil { return former }
    if has(.userIDCut) { return user.map { String($0.prefix(255)) } }
    if has(.userIDTrimmed) { return user.map { String($0.drop { $0 == " " }) } }
    return has(.variantEmptyUserIsNone) && user == "" ? nil : user
  }

  /// Whether a text is taken for a user id.
  func refuses(user: String?) -> Bool {
    has(.userIDOnlyUUID) && user.map { !UUIDText.isValid($0) } ?? false || has(.userIDEmptyRefused) && user == ""
  }
}

// Access to data.
extension SDKSeams {
  func isFirstLaunch(_ value: Bool) -> Bool {
    if has(.firstLaunchAlways) { return true }
    return has(.variantFirstLaunchEnds) || has(.firstLaunchNever) ? false : value
  }

  func installID(of install: InstallResponse?) -> JSON {
    if has(.installIDEmpty), install == nil { return "" }
    if has(.installIDOrganicHidden), install?.attributed == false { return .null }
    return install.map { .string($0.installId) } ?? .null
  }

  func installData(of install: InstallResponse?) -> JSON {
    guard let data = install?.deepLinkData else {
      return has(.installDataOrganicEmpty) && install != nil ? [:] : .null
    }
    return has(.installDataCodeOnly) ? ["shortCode": .string(data.shortCode)] : data.representation
  }

  /// What the app gets to read.
  func told(_ call: SDKCall, _ value: JSON) -> Result<JSON, SDKError> {
    if has(.firstLaunchHidden), call == .isFirstLaunch {
      return .failure(SDKError(.generic, "there is no such thing as a first launch"))
    }
    return .success(value)
  }

  /// An install as it is stored.
  func stored(_ install: InstallResponse) -> JSON {
    var install = install
    if has(.installDataMemoryOnly) { install.deepLinkData = nil }
    return install.representation
  }
}

// What requests may show, and how they are written.
extension SDKSeams {
  /// A request with what should not be in it, or without what should.
  func exposed(_ outgoing: OutgoingRequest, _ configuration: Configuration, user: String?) -> OutgoingRequest {
    var outgoing = outgoing
    expose(&outgoing.request, user: user)
    expose(&outgoing.request, apiKey: configuration.apiKey)
    rewrite(&outgoing.request)
    return outgoing
  }

  private func expose(_ request: inout HTTPRequest, user: String?) {
    guard let user else { return }
    if has(.userIDInHeaders) { request.headers.append("X-User-Id", user) }
    if has(.userIDInInstall), request.path.hasSuffix("/install") { request.add("externalUserId", user) }
    if has(.userIDInResolve), request.path.contains("/resolve/") {
      request.target += "&user=\(PercentEncoding.encode(user))"
    }
  }

  private func expose(_ request: inout HTTPRequest, apiKey: String?) {
    if has(.authorizationLinksOnly), !request.path.hasSuffix("/links") { request.headers["Authorization"] = nil }
    guard let apiKey else { return }
    if has(.apiKeyInOwnHeader) { request.headers.append("X-API-Key", apiKey) }
    if has(.apiKeyInBody) { request.add("apiKey", apiKey) }
  }

  private func rewrite(_ request: inout HTTPRequest) {
    if has(.requestNoUserAgent) { request.headers["User-Agent"] = nil }
    if has(.requestNoContentType) { request.headers["Content-Type"] = nil }
    if has(.requestASCIIOnly) {
      let text = String(decoding: request.body, as: UTF8.self)
      request.body = text.unicodeScalars.map { $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?") }
    }
    if has(.requestLatin1) {
      let text = String(decoding: request.body, as: UTF8.self)
      request.body = text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
  }
}

extension HTTPRequest {
  /// Puts a member into a body that is an object.
  fileprivate mutating func add(_ member: String, _ text: String) {
    guard var object = Octets(body).json?.object else { return }
    object[member] = .string(text)
    body = JSON.object(object).compactBytes
  }
}
