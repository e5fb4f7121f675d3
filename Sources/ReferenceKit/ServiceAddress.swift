import ConformanceModel
import ConformanceWire

/// Where a service is: a base URL to which the paths of its requests are appended.
package struct ServiceAddress: Hashable, Sendable {
  package let endpoint: WireEndpoint
  /// The path of the base URL without slashes at its end.
  package let prefix: String

  /// nil for what is no URL of HTTP, or one with a query.
  package init?(_ text: String) {
    guard let url = URLText(text), let endpoint = WireEndpoint(url), url.query == nil, url.fragment == nil else {
      return nil
    }
    self.endpoint = endpoint
    prefix = "/" + url.segments.joined(separator: "/")
  }

  /// The target of a path below the base.
  package func target(_ path: String) -> String { prefix == "/" ? path : prefix + path }
}
