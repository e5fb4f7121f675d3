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

  /// Sends them all at once. What it gives opens when the last of them has gone out, so that who waits for it has called
  /// when it answers; nil where there is nothing to send. The answers are waited for by nobody.
  func send(to urls: [ServiceName: String]) -> WireBarrier? {
    let calls = requests.compactMap { canned in
      urls[canned.service].flatMap(URLText.init).flatMap(WireEndpoint.init).map { (canned.request, $0) }
    }
    guard !calls.isEmpty else { return nil }
    let sent = WireBarrier()
    let unsent = LockedValue(Set(calls.indices))
    for (index, (request, endpoint)) in calls.enumerated() {
      let gone: @Sendable () -> Void = {
        if unsent.change({ $0.remove(index) != nil && $0.isEmpty }) { sent.open() }
      }
      Task {
        _ = try? await client.send(request, to: endpoint, written: gone)
        // A call that found nobody has ended too.
        gone()
      }
    }
    return sent
  }
}
