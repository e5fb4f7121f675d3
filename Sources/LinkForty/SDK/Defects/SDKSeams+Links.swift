import JSONKit
import LinkFortyModel

// Requests to create links.
extension SDKSeams {
  func accepts(_ options: CreateLinkOptions) -> Bool { !has(.linkTitleRequired) || options[text: "title"] != nil }

  func bent(link body: JSON.Object, _ options: CreateLinkOptions) -> JSON.Object {
    var body = body
    if has(.variantSlugSent) { body["templateSlug"] = options.members["templateSlug"] }
    return body
  }
}

// Reading of the answer to a request to create a link.
extension SDKSeams {
  /// The result that the app gets from an answer; nil if the answer contains no link.
  func readResult(_ body: JSON, _ options: CreateLinkOptions, _ configuration: Configuration?) -> JSON? {
    guard let base = configuration?.baseURL else { return nil }
    var options = options
    if has(.linkURLWithoutSlug) { options[text: "templateSlug"] = nil }
    if has(.linkRowUnread), body["url"] == nil { return nil }
    let result = CreateLinkResult(answer: body, options: options, base: base)
    return result.map { bent($0, isRow: body["url"] == nil, base).representation }
  }

  private func bent(_ result: CreateLinkResult, isRow: Bool, _ base: BaseURL) -> CreateLinkResult {
    var result = result
    if has(.variantUnsaidIsFalse) { result.members["deduplicated"] = result.members["deduplicated"] ?? false }
    if has(.linkURLRebuilt), !isRow { result.url = "\(base.text)/\(result[text: "shortCode"] ?? "")" }
    if isRow {
      let path = result.url.dropFirst(base.text.count)
      if has(.linkURLDoubleSlash) { result.url = "\(base.text)/\(path)" }
      if has(.linkURLWithoutPrefix) { result.url = "\(base.text.dropLast(base.prefix.count))\(path)" }
    }
    return result
  }
}
