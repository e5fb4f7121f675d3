import HTTPValues

/// The state that defects and variants need for links that open the app.
struct LinkMemory: Hashable, Sendable {
  /// The URL that was opened last.
  var last: String?
  /// The URLs that wait until an earlier URL is resolved.
  var waiting: [String] = []
  /// Maps each URL to the number of times that its request was repeated so far.
  var attempts: [String: Int] = [:]
  /// Maps each URL to the calls that wait for its delivery.
  var calls: [String: [Int]] = [:]
}

// Changes of links that open the app. Without a defect or variant, none of them has an effect.
extension SDKCore {
  private var isResolving: Bool {
    requests.values.contains { if case .resolve = $0 { true } else { false } }
  }

  /// If a variant answers a call only after its URL is delivered, records the call and returns true. Otherwise returns
  /// false.
  mutating func repliesLater(_ call: Int, _ url: String) -> Bool {
    guard seams.has(.variantLinkReplyLate) else { return false }
    memory.links.calls[url, default: []].append(call)
    return true
  }

  mutating func replyToWaiting(_ url: String) {
    for call in memory.links.calls.removeValue(forKey: url) ?? [] { reply(call, .success(.null)) }
  }

  /// Whether a defect drops a URL, or a variant lets it wait until earlier URLs are resolved. The SDK does not open the
  /// URL then.
  mutating func detains(_ url: String) -> Bool {
    memory.links.last = url
    if seams.has(.urlLastWins) {
      _ = cancelRequests { if case .resolve = $0 { true } else { false } }
    }
    guard seams.has(.variantResolveOneAtATime) else { return seams.loses(url) }
    guard isResolving else {
      memory.links.waiting = []
      return false
    }
    memory.links.waiting.append(url)
    return true
  }

  /// Opens the waiting URLs in their order, until one of them is being resolved.
  mutating func openWaiting() {
    while !memory.links.waiting.isEmpty, !isResolving {
      let rest = Array(memory.links.waiting.dropFirst())
      open(memory.links.waiting[0])
      memory.links.waiting = rest
    }
  }

  /// If a defect asks the server about a URL without a short code, sends the request.
  mutating func asksWithoutCode(_ link: LinkURL) {
    guard seams.has(.resolveWithoutCode), link.data == nil else { return }
    send(outbox?.resolve([""]), for: .nothing, patience: Patience.resolve)
  }

  /// The URL with which an answer is delivered. A defect uses the last opened URL.
  func addressee(_ url: String) -> String { seams.has(.urlMixedUp) ? memory.links.last ?? url : url }

  /// If a defect or variant repeats a failed request before the fallback is delivered, sends the request again or sets
  /// a timer for it, and returns true. Otherwise returns false.
  mutating func asksAgain(_ url: String, _ result: Result<HTTPResponse, SDKError>) -> Bool {
    guard case .failure(let error) = result, error.isTransient, error.kind != .timeout else { return false }
    let attempt = memory.links.attempts[url, default: 0] + 1
    guard attempt <= (seams.has(.resolveRetries) ? 2 : seams.has(.variantResolveTriesTwice) ? 1 : 0) else {
      memory.links.attempts[url] = nil
      return false
    }
    memory.links.attempts[url] = attempt
    if seams.has(.resolveRetries) {
      emit(.startTimer(.again(url), milliseconds: attempt * 1000))
    } else {
      open(url)
    }
    return true
  }
}
