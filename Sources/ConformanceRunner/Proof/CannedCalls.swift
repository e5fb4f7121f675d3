import ConformanceModel
import ConformanceWire

/// The calls of a backend that reads nothing: each golden request to the services that it should call, whatever it is asked.
struct CannedCalls: Sendable {
  private let requests: [IdleSDK.Canned]
  private let client: WireClient

  init(_ requests: [IdleSDK.Canned], client: WireClient) {
    self.requests = requests
    self.client = client
  }

  /// Sends them all at once, and waits for nothing.
  func send(to urls: [ServiceName: String]) {
    for canned in requests {
      guard let url = urls[canned.service].flatMap(URLText.init), let endpoint = WireEndpoint(url) else { continue }
      Task { _ = try? await client.send(canned.request, to: endpoint) }
    }
  }
}
