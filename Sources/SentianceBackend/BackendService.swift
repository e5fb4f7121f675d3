import ConformanceTranscript
import ConformanceWire
import HTTPValues
import ReferenceKit
import Sentiance

/// The backend, connected to the platform that it calls. While a request of an app waits for the platform, the service
/// handles other requests. As it is an actor, only one request at a time reads or changes the stored data.
actor BackendService {
  private var backend: CustomerBackend
  private let platform: WireClient

  init(_ backend: CustomerBackend, platform: WireClient) {
    self.backend = backend
    self.platform = platform
  }

  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    switch backend.decide(on: request) {
    case .answer(let answer): return answer
    case .ask(let call):
      let outcome = await ask(call.request(backend.settings))
      if case .failure(let failure) = outcome { log(request, failure.text) }
      if case .success(let response) = outcome, response.status != 200 { log(request, "HTTP \(response.status)") }
      return backend.answer(to: call, outcome)
    }
  }

  private func ask(_ outgoing: OutgoingRequest) async -> Result<HTTPResponse, TransportFailure> {
    do throws(WireFailure) {
      let response = try await platform.send(outgoing.request, to: outgoing.endpoint)
      return .success(
        HTTPResponse(status: response.status, headers: response.headers, body: response.body.bytes))
    } catch {
      return .failure(TransportFailure(error.text))
    }
  }

  /// Logs the reason of a failure. The reason is not sent to the app.
  private func log(_ request: HTTPRequest, _ reason: String) {
    ErrorStream.write("\(request.method) \(request.path): the platform: \(reason)\n")
  }
}
