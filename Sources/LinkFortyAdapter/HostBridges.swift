import AdapterHost
import ConformanceModel
import ConformanceWire
import LinkForty

/// The host's network as the SDK's transport.
final class HostTransport: Transport {
  private let surroundings: any AppSurroundings

  init(_ surroundings: any AppSurroundings) { self.surroundings = surroundings }

  func send(
    _ request: OutgoingRequest, completion: @escaping (Result<HTTPResponse, TransportFailure>) -> Void
  ) -> Cancellation {
    let endpoint = WireEndpoint(host: request.host, port: request.port, isTLS: request.isTLS)
    let sent = surroundings.send(request.request, to: endpoint, chunked: request.isChunked) { result in
      completion(result.mapError { TransportFailure("\($0)") })
    }
    return Cancellation { sent.cancel() }
  }
}

/// The host's clock as the SDK's.
final class HostClock: SDKClock {
  private let surroundings: any AppSurroundings

  init(_ surroundings: any AppSurroundings) { self.surroundings = surroundings }

  var now: Int { surroundings.now }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> Cancellation {
    let timer = surroundings.schedule(after: milliseconds, action)
    return Cancellation { timer.cancel() }
  }
}
