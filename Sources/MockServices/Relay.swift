import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import Subjects
import Templates

/// Passes the requests of an SDK on to a real server, and returns the answers of that server.
///
/// It is a proxy that keeps method, path, query, fields and body: it follows no redirect and repeats no request. It
/// adds the header fields of the provisioning file, since the server may not be reachable without them. It also adds a
/// header field with the client's address, since the server would otherwise see one client for all cases.
package struct Relay: Sendable {
  /// The name of the SDK among the clients of a case. If a step sends a request as this client, the request has the
  /// SDK's address.
  package static let client = "app"

  /// The answers of the server that do not stop a case that judges only the SDK: the responses that the exchanges
  /// define in a dialect.
  package struct Expectation: Sendable {
    private let dialect: Dialect
    private let models: Template.Models

    package init(_ dialect: Dialect, models: Template.Models) {
      self.dialect = dialect
      self.models = models
    }

    /// Whether an answer has the status and the body of a response of its exchange.
    fileprivate func includes(_ answer: ResponseRecord, to exchange: Exchange) -> Bool {
      let known = exchange.responses.keys.compactMap { exchange.response($0, in: dialect) }
      let body = answer.view["body"]
      return known.contains { response in
        guard response.status == answer.status else { return false }
        if case .json(let template) = response.body { return template.fits(body, models: models) }
        return true
      }
    }
  }

  let server: ServerUnderTest
  private let wire: WireClient
  private let clients: ClientAddresses
  /// nil if the case judges the answers of the server.
  private let expectation: Expectation?
  private let bender: Bender?

  /// `bender` changes the answers before they are passed on.
  package init(
    to server: ServerUnderTest, through wire: WireClient, clients: ClientAddresses, expecting: Expectation? = nil,
    bender: Bender? = nil
  ) {
    self.server = server
    self.wire = wire
    self.clients = clients
    expectation = expecting
    self.bender = bender
  }

  /// Explains why the case cannot go on after an answer of the server. nil if the case goes on. The SDK is not at fault
  /// for an answer that stops the case.
  func obstacle(after answer: ResponseRecord, to exchange: Exchange?) -> String? {
    guard let expectation, let exchange, !expectation.includes(answer, to: exchange) else { return nil }
    return "the server answered '\(exchange.name)' with status \(answer.status), as no response of this exchange does"
  }

  /// The answer of the server to a request at a service, after the mutations, or the reason why the server gave no
  /// answer.
  func answer(
    to request: RequestRecord, at service: ServiceName
  ) async -> Result<ResponseRecord, WireFailure> {
    guard let address = server.addresses[service] else {
      return .failure(WireFailure(.unreachable, "the address of the service '\(service)' is unknown"))
    }
    do throws(WireFailure) {
      let answer = try await wire.send(bytes(of: request.request, to: address), to: address.endpoint)
      return bent(answer, to: request)
    } catch {
      return .failure(error)
    }
  }

  private func bent(_ answer: ResponseRecord, to request: RequestRecord) -> Result<ResponseRecord, WireFailure> {
    guard let bender else { return .success(answer) }
    guard var bent = bender.answer(answer, to: request) else { return .failure(.noAnswer) }
    if bent.body != answer.body { bent.headers.adaptLength(to: bent.body.bytes) }
    return .success(bent)
  }

  private func bytes(of received: HTTPRequest, to address: ServerUnderTest.Address) -> [UInt8] {
    var request = received
    request.target = address.basePath + request.target
    request.headers = request.headers.withoutConnectionFields
    request.headers["Host"] = nil
    // A mutation may have changed the body.
    request.headers.adaptLength(to: request.body)
    for field in server.headers.fields where request.headers[field.name] == nil { request.headers.fields.append(field) }
    if let name = server.clientAddressHeader, request.headers[name] == nil {
      request.headers.append(name, clients.address(of: Self.client))
    }
    return HTTPMessageWriter.bytes(of: request, to: address.endpoint.authority)
  }
}

extension HTTPHeaders {
  /// Corrects the Content-Length, if there is one, for a changed body.
  fileprivate mutating func adaptLength(to body: [UInt8]) {
    if self["Content-Length"] != nil { self["Content-Length"] = "\(body.count)" }
  }
}
