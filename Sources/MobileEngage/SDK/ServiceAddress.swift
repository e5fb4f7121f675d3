import ConformanceModel
import ConformanceWire

/// Where a service is: a base URL to which the paths of its requests are appended.
struct ServiceAddress: Hashable, Sendable {
  let endpoint: WireEndpoint
  /// The path of the base URL without slashes at its end.
  let prefix: String

  /// nil for what is no URL of HTTP, or one with a query.
  init?(_ text: String) {
    guard let url = URLText(text), let endpoint = WireEndpoint(url), url.query == nil, url.fragment == nil else {
      return nil
    }
    self.endpoint = endpoint
    prefix = "/" + url.segments.joined(separator: "/")
  }

  /// The target of a path below the base.
  func target(_ path: String) -> String { prefix == "/" ? path : prefix + path }
}
