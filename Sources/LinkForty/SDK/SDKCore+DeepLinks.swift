import HTTPValues
import JSONKit
import LinkFortyModel

/// The callbacks for links that open the app. Links wait until the first callback is registered: if a link starts the
/// app, the link arrives before the app can register a callback.
struct LinkDelivery: Hashable, Sendable {
  private(set) var handles: [String] = []
  private var waiting: [JSON] = []

  /// Registers a callback. Returns the values that waited for the first callback, in their order.
  mutating func register(_ handle: String) -> [JSON] {
    handles.append(handle)
    defer { waiting = [] }
    return waiting
  }

  /// Returns the callbacks that get the value now. If no callback is registered yet, keeps the value for the first one.
  mutating func deliver(_ value: JSON) -> [String] {
    if handles.isEmpty { waiting.append(value) }
    return handles
  }
}

// Feature 3, direct deep linking, and feature 4, resolution by the server.
extension SDKCore {
  mutating func registerLink(_ call: Int, _ handle: String) {
    reply(call, .success(.null))
    for value in seams.heard(early: links.register(handle)) { emit(.callback(handle: handle, value)) }
  }

  /// Opens a URL that the app passes to the SDK.
  mutating func handleURL(_ call: Int, _ text: String) {
    if seams.has(.urlPlatformOnly) { return fail(call, SDKError(.generic, "the platform delivers URLs")) }
    if !repliesLater(call, text) { reply(call, .success(.null)) }
    open(text)
  }

  /// Receives a URL from the platform. The SDK ignores the URL before initialisation.
  mutating func receivePlatformURL(_ call: Int, _ text: String) {
    reply(call, .success(.null))
    if phase != .uninitialized || seams.has(.resetKeepsListening) { open(text) }
  }

  /// Opens the URL that started the app, once.
  mutating func openInitialURL() {
    guard let url = initialURL else { return }
    initialURL = nil
    open(url)
  }

  /// Parses the URL, and asks the server to resolve it if it is a link of the configured server. The callbacks get the
  /// URL in any case.
  mutating func open(_ text: String) {
    guard let configuration, !detains(text) else { return }
    let link = LinkURL(text, base: configuration.baseURL, hosts: seams.linkHosts)
    guard let path = seams.path(of: link), let local = link.data else {
      asksWithoutCode(link)
      return deliver(text, link.data)
    }
    let question = seams.bent(question: outbox?.resolve(path), about: text)
    send(question, for: .resolve(url: text, local: local), patience: seams.patienceWithLinks)
    for _ in 1..<seams.questions(callbacks: links.handles.count) {
      send(question, for: .nothing, patience: seams.patienceWithLinks)
    }
  }

  /// Delivers the server's data for a URL. If the request failed, delivers the data in the URL itself.
  mutating func resolved(_ url: String, _ local: DeepLinkData, _ result: Result<HTTPResponse, SDKError>) {
    if asksAgain(url, result) { return }
    let body = (try? result.get()).flatMap { try? JSON(parsing: $0.body) }
    if let remote = body.flatMap({ seams.readLink($0) }) {
      deliver(addressee(url), remote)
    } else if !seams.hides(result) {
      deliver(addressee(url), seams.fallback(local, after: result))
    }
    openWaiting()
  }

  private mutating func deliver(_ url: String, _ data: DeepLinkData?) {
    let value: JSON = ["url": .string(seams.shown(url)), "data": seams.shown(data)]
    for handle in seams.called(links.deliver(value)) { emit(.callback(handle: handle, value)) }
    replyToWaiting(url)
  }
}
