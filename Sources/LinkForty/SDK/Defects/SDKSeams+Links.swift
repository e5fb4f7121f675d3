import ConformanceModel
import JSONKit

// How the SDK orders links.
extension SDKSeams {
  func accepts(_ options: CreateLinkOptions) -> Bool { !has(.linkTitleRequired) || options.title != nil }

  func bent(link body: JSON.Object, _ options: CreateLinkOptions) -> JSON.Object {
    var body = body
    if has(.variantSlugSent) { body["templateSlug"] = options.templateSlug.map(JSON.string) }
    return body
  }
}

// What the SDK makes of the answer to an order.
extension SDKSeams {
  /// The link that the app gets although there is none.
  func invented(after error: SDKError, _ configuration: Configuration?) -> JSON? {
    let isHidden =
      has(.linkStatusUnread) && (400...499).contains(error.status ?? 0)
      || has(.linkThrottleHidden) && error.status == 429
      || has(.linkInventedOffline) && error.status == nil && error.kind != .decoding
    guard isHidden, let base = configuration?.baseURL else { return nil }
    return ["url": .string("\(base.text)/pending"), "shortCode": "pending", "linkId": "pending"]
  }

  /// The answer to the order of a link; nil when it names none.
  func readResult(_ body: JSON, _ options: CreateLinkOptions, _ configuration: Configuration?) -> JSON? {
    guard let base = configuration?.baseURL else { return nil }
    var options = options
    if has(.linkURLWithoutSlug) { options.templateSlug = nil }
    if has(.linkRowUnread), body["url"] == nil { return nil }
    if let result = CreateLinkResult(answer: body, options: options, base: base) {
      return bent(result, isRow: body["url"] == nil, base).representation
    }
    guard has(.linkPartialResult) else { return nil }
    return ["url": .string("\(base.text)/undefined"), "shortCode": .null, "linkId": .null]
  }

  private func bent(_ result: CreateLinkResult, isRow: Bool, _ base: BaseURL) -> CreateLinkResult {
    var result = result
    if has(.variantUnsaidIsFalse) { result.deduplicated = result.deduplicated ?? false }
    if has(.linkURLRebuilt), !isRow { result.url = "\(base.text)/\(result.shortCode)" }
    if isRow {
      let path = result.url.dropFirst(base.text.count)
      if has(.linkURLDoubleSlash) { result.url = "\(base.text)/\(path)" }
      if has(.linkURLWithoutPrefix) { result.url = "\(base.text.dropLast(base.prefix.count))\(path)" }
    }
    return result
  }
}
