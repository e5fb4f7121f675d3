import HTTPValues
import JSONKit
import LinkFortyModel

// Feature 7, links made by the app, and feature 8, user identity.
extension SDKCore {
  mutating func createLink(_ call: Int, _ options: CreateLinkOptions) {
    guard let configuration else { return fail(call, .notInitialized) }
    guard configuration.apiKey != nil || seams.has(.linkWithoutKey) else {
      return fail(call, SDKError(.missingApiKey, "links need an apiKey in the configuration"))
    }
    if createsLinkForDefects(call, options) { return }
    noteUserForDefects(options)
    send(outbox?.createLink(options), for: .link(options, call: call), patience: Patience.report)
  }

  mutating func linkCreated(_ options: CreateLinkOptions, _ call: Int, _ result: Result<HTTPResponse, SDKError>) {
    if retriesLinkForDefects(options, call, result) { return }
    let made = result.flatMap { link(in: $0, options) }
    rememberForDefects(made)
    reply(call, made)
  }

  private func link(in response: HTTPResponse, _ options: CreateLinkOptions) -> Result<JSON, SDKError> {
    let body = (try? JSON(parsing: response.body)) ?? .null
    guard let link = seams.readResult(body, options, configuration) else {
      return .failure(SDKError(.decoding, "the server's answer has no link: \(body.excerpt)"))
    }
    return .success(link)
  }

  /// Sets the user id, also before initialisation. The id is kept until it is replaced or cleared, or the app ends.
  mutating func setExternalUserID(_ call: Int, _ user: String?) {
    if refusesUserForDefects(call, user) { return }
    externalUserID = seams.kept(user: user, was: externalUserID)
    reply(call, .success(.null))
  }
}

extension CreateLinkResult {
  /// Reads the answer to a request to create a link; nil if the answer contains no link. The endpoint for SDKs sends
  /// the link's URL. The dashboard endpoint sends the row of its database without a URL, so the SDK composes the URL.
  init?(answer: JSON, options: CreateLinkOptions, base: BaseURL) {
    if let result = try? CreateLinkResult(JSONField(answer)) {
      self.init(result.members.only(CreateLinkResult.names))
      return
    }
    guard options[text: "templateId"] != nil, let id = answer["id"]?.string, !id.isEmpty,
      let code = answer["short_code"]?.string, !code.isEmpty
    else { return nil }
    let path = ([options[text: "templateSlug"], code].compactMap(\.self)).joined(separator: "/")
    self.init(
      url: "\(base.text)/\(path)", shortCode: code, linkId: id, deduplicated: answer["deduplicated"]?.bool)
  }
}
