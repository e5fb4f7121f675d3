import ConformanceWire
import HTTPValues

/// The address of a service: a base URL to which the paths of its requests are appended.
package struct ServiceAddress: Hashable, Sendable {
  package let endpoint: WireEndpoint
  /// The path of the base URL without slashes at its end; `/` if the URL has no path.
  package let prefix: String

  /// Returns nil if the text is not an HTTP URL, or has a query or a fragment.
  package init?(_ text: String) {
    guard let url = URLText(text), let endpoint = WireEndpoint(url), url.query == nil, url.fragment == nil else {
      return nil
    }
    self.endpoint = endpoint
    prefix = "/" + url.segments.joined(separator: "/")
  }

  /// The target of a request: the path of the base URL, followed by this path.
  package func target(_ path: String) -> String { prefix == "/" ? path : prefix + path }
}
