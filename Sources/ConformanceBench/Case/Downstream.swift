import ConformanceModel
import ConformanceWire

/// The downstream port of one case: the client that calls the server under test.
final class Downstream: Sendable {
  /// How much is kept of an answer that never was one: enough to see what it was.
  private static let longestEvidence = 64 << 10

  let server: ServerUnderTest
  private let client: WireClient
  private let recorder: Recorder

  init(server: ServerUnderTest, client: WireClient, recorder: Recorder) {
    self.server = server
    self.client = client
    self.recorder = recorder
  }

  /// Sends a request; the response, or why there is none, reaches the recorder under the label.
  func send(_ request: HTTPRequest, exchange: String, label: String) {
    var request = request
    request.target = server.basePath + request.target
    for field in server.headers.fields where request.headers[field.name] == nil { request.headers.fields.append(field) }
    let bytes = HTTPMessageWriter.bytes(of: request, to: server.endpoint.authority)
    recorder.record(
      .sent(label: label, RequestRecord(request, exchange: exchange, authority: server.endpoint.authority)))
    Task { [recorder, client, server] in
      do throws(WireFailure) {
        recorder.record(.received(label: label, try await client.send(bytes, to: server.endpoint)))
      } catch {
        recorder.record(.failed(label: label, error.withEvidence(of: Self.longestEvidence)))
      }
    }
  }
}

extension RequestRecord {
  /// What the transcript says of a request that the kit sends.
  fileprivate init(_ request: HTTPRequest, exchange: String, authority: String) {
    let bytes = HTTPMessageWriter.bytes(of: request, to: authority)
    var reader = HTTPMessageReader(.requests)
    reader.append(bytes)
    // A request that the case bent out of shape is written down as it was meant.
    var message = HTTPMessage(line: "\(request.method) \(request.target) HTTP/1.1", headers: request.headers)
    if case .message(let whole) = reader.next() { message = whole }
    self.init(
      connection: 0, line: message.line, headers: message.headers, body: Octets(request.body), exchange: exchange)
  }
}

extension WireFailure {
  /// The failure with the beginning of what arrived.
  fileprivate func withEvidence(of limit: Int) -> WireFailure {
    guard received.bytes.count > limit else { return self }
    var failure = self
    failure.text += " (the first \(limit >> 10) KiB are kept)"
    failure.received = Octets(received.bytes.prefix(limit))
    return failure
  }
}
