import Concurrency
import ConformanceModel
import ConformanceRunner
import ConformanceWire
import HTTPValues

/// The calls of a backend that ignores the content of requests. For every request that it gets, such a backend sends
/// each golden request to the services that a backend should call.
struct CannedCalls: Sendable {
  private let requests: [IdleSDK.Canned]
  private let client: WireClient

  init(_ requests: [IdleSDK.Canned], client: WireClient) {
    self.requests = requests
    self.client = client
  }

  /// Sends all requests at the same time. Returns a barrier that opens once the last request is sent, so that the
  /// backend can answer after its calls; nil if there is nothing to send. Answers to the requests are ignored.
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
        // A call to a port without a listener has ended, too.
        gone()
      }
    }
    return sent
  }
}
