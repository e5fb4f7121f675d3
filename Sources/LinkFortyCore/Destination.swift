import HTTPValues
import JSONKit
import LinkFortyModel

/// The destination of a link for the device that opens it.
///
/// Source: Core 1.21. A telephone opens the app if the link has the app's scheme. Otherwise it opens the store or, if
/// the link has no store, the web. In a browser inside another app, the link's web address comes before the store.
enum Destination: Hashable, Sendable {
  /// A redirect to this URL.
  case redirect(String)
  /// A page that tries to open the app, and opens the URL `fallback` if the app does not open.
  case interstitial(app: String, fallback: String)

  /// Returns nil if neither the link nor `fallback` has a URL for the device.
  init?(of link: Link, fallback: String?, for agent: UserAgent) {
    let web = link.data.webUrl ?? link.originalUrl ?? fallback
    let store = agent.platform.flatMap { link.data[text: $0 == .ios ? "iosUrl" : "androidUrl"] }
    let choices = agent.isInAppBrowser ? [link.data.webUrl, store, web] : [store, web]
    guard let target = choices.compactMap(\.self).first else { return nil }
    let full = Self.adding(link.data, to: target)
    guard agent.platform != nil, let scheme = link.data.appScheme else {
      self = .redirect(full)
      return
    }
    let path = link.data.deepLinkPath.map { String($0.drop { $0 == "/" }) } ?? ""
    self = .interstitial(app: Self.adding(link.data, to: "\(scheme)://\(path)"), fallback: full)
  }

  var response: HTTPResponse {
    switch self {
    case .redirect(let url): return HTTPResponse(status: 302, headers: ["Location": url])
    case .interstitial(let app, let fallback):
      let page = """
        <!DOCTYPE html><html><body><a href="\(fallback)">Continue</a>
        <script>location.href = \(JSON.string(app).compactText);
        setTimeout(() => { location.href = \(JSON.string(fallback).compactText) + location.hash }, 1500)</script>
        </body></html>
        """
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(page.utf8))
    }
  }

  /// The URL with the campaign and the app's parameters added to its query.
  private static func adding(_ data: DeepLinkData, to url: String) -> String {
    let named = DeepLinkData.campaignNames.compactMap { name in
      (data.utmParameters?[name]?.string).map { ("utm_\(name)", $0) }
    }
    let own = (data.customParameters?.members ?? []).map { ($0.key, $0.value.string ?? $0.value.compactText) }
    let items = (named + own).map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }
    return items.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + items.joined(separator: "&")
  }
}
