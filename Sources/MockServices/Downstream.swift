import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Recording
import ServerRules
import Subjects
import Synchronization

/// The downstream ports of one case: the client that calls the services of the subject.
package final class Downstream: Sendable {
  /// The largest number of bytes of an incomplete answer that the transcript contains. They are enough to recognise the
  /// answer.
  private static let longestEvidence = 64 << 10

  package let server: ServerUnderTest
  private let client: WireClient
  private let recorder: Recorder
  private let bender: Bender?
  /// Translates requests of cases into the subject's wire profile, and the subject's answers back.
  private let wire: WireProfile?
  private let delivery: Delivery
  /// Returns once the kit has recorded everything that the subject has sent so far to the kit's own ports.
  private let catchUp: @Sendable () async -> Void
  /// All requests of the case, including those without an answer.
  private let asking = Mutex<[Asking]>([])
  /// The connections that requests share. The keys are the names that the case gives to the connections.
  private let connections = Mutex<[String: PersistentConnection]>([:])

  package init(
    server: ServerUnderTest, client: WireClient, recorder: Recorder, bender: Bender? = nil, wire: WireProfile? = nil,
    clock: CaseClock, catchUp: @escaping @Sendable () async -> Void = {}
  ) {
    self.server = server
    self.client = client
    self.recorder = recorder
    self.bender = bender
    self.wire = wire
    self.catchUp = catchUp
    delivery = Delivery(bender: bender, clock: clock, recorder: recorder)
  }

  /// A request to send: its address, its bytes and its record.
  private struct Order {
    var address: ServerUnderTest.Address
    var bytes: [UInt8]
    var record: RequestRecord
    var connection: PersistentConnection?
  }

  /// The exchange of a sent request, and the task that awaits and records the answer.
  private struct Asking {
    var exchange: ExchangeWatch
    var task: Task<Void, Never>
  }

  /// Sends a request to the service of its exchange. The response or the failure is recorded under the label. `name`
  /// names a connection that requests share. The request uses it as long as the server keeps it open.
  package func send(_ request: HTTPRequest, of exchange: Exchange, label: String, over name: String? = nil) throws {
    let order = try order(request, of: exchange, over: name)
    recorder.record(.sent(label: label, service: exchange.service.rawValue, order.record))
    let watch = ExchangeWatch()
    let task = Task { [self] in
      let answer = await answer(to: order, of: exchange, watchedBy: watch)
      // The subject may have sent requests on other sockets before it answered, and the kit may not have read them yet.
      await catchUp()
      switch answer {
      case .success(let response):
        delivery.deliver(.answer, of: exchange.name, response.view) { [recorder] _ in
          recorder.record(.received(label: label, response))
        }
      case .failure(let failure):
        // The kit gave up because the case is over, so the answer is not known.
        let failure = Task.isCancelled ? WireFailure(.timeout, "no answer by the end of the case") : failure
        recorder.record(.failed(label: label, failure.withEvidence(of: Self.longestEvidence)))
      }
    }
    asking.withLock { $0.append(Asking(exchange: watch, task: task)) }
  }

  /// Sends a request and returns the result. Nothing is recorded.
  package func ask(_ request: HTTPRequest, of exchange: Exchange) async throws -> Result<ResponseRecord, WireFailure> {
    await answer(to: try order(request, of: exchange), of: exchange)
  }

  private func order(_ request: HTTPRequest, of exchange: Exchange, over name: String? = nil) throws -> Order {
    guard let address = server.addresses[exchange.service] else {
      throw CaseHalt(.kitError, "the address of the service '\(exchange.service)' is unknown")
    }
    func addressed(_ request: HTTPRequest) -> HTTPRequest {
      var request = request
      request.target = request.target.pathOfWholeURL ?? address.basePath + request.target
      for field in server.headers.fields where request.headers[field.name] == nil {
        request.headers.fields.append(field)
      }
      return request
    }
    func bytes(of request: HTTPRequest) -> [UInt8] {
      HTTPMessageWriter.bytes(of: request, to: address.endpoint.authority, keepsAlive: name != nil)
    }
    // The transcript contains only the vocabulary of the protocol.
    let known = addressed(request)
    let meant = bytes(of: known)
    return Order(
      address: address, bytes: spoken(request, at: exchange.service).map { bytes(of: addressed($0)) } ?? meant,
      record: RequestRecord(known, as: meant, exchange: exchange.name), connection: name.map(connection))
  }

  /// The request in the subject's wire profile; nil if the profile does not change the request.
  private func spoken(_ request: HTTPRequest, at service: ServiceName) -> HTTPRequest? {
    guard let wire, case .translated(let spoken) = wire.read(request, at: service) else { return nil }
    return spoken
  }

  /// An answer of the subject, translated from its wire profile into the form that cases describe.
  private func understood(_ record: ResponseRecord, to exchange: Exchange) -> ResponseRecord {
    guard let wire else { return record }
    let own = wire.write(
      HTTPResponse(status: record.status, headers: record.headers, body: record.body.bytes), to: exchange.name)
    guard own.body != record.body.bytes || own.status != record.status else { return record }
    var known = record
    known.line = "HTTP/1.1 \(own.status) \(own.reason)"
    known.body = Octets(own.body)
    return known
  }

  private func connection(named name: String) -> PersistentConnection {
    connections.withLock { connections in
      if let known = connections[name] { return known }
      let fresh = client.persistentConnection()
      connections[name] = fresh
      return fresh
    }
  }

  private func answer(
    to order: Order, of exchange: Exchange, watchedBy watch: ExchangeWatch? = nil
  ) async -> Result<ResponseRecord, WireFailure> {
    let paths = server.answers[exchange.name] ?? [:]
    do throws(WireFailure) {
      var response = try await client.send(
        order.bytes, to: order.address.endpoint, over: order.connection, watchedBy: watch)
      response = understood(response, to: exchange)
      if let bender {
        guard let bent = bender.answer(response, to: order.record) else {
          throw .noAnswer
        }
        response = bent
      }
      response.values = response.values(at: paths)
      response.absent = paths.filter { response.values[$0.key] == nil }.mapValues(\.description)
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  /// Returns once every response that has arrived by now is recorded.
  package func readDry() async {
    for asking in asking.withLock(\.self) where await asking.exchange.hasEndedByNow() { await asking.task.value }
  }

  /// Cancels all open requests, and returns once they have ended.
  package func finish() async {
    delivery.end()
    let tasks = asking.withLock { asking in
      defer { asking = [] }
      return asking.map(\.task)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    for connection in connections.withLock(\.values) { connection.close() }
  }
}

extension ResponseRecord {
  /// The values at these paths in the view of the response.
  fileprivate func values(at paths: [String: JSONPath]) -> JSON.Object {
    guard !paths.isEmpty else { return [:] }
    let view = view
    return JSON.Object(
      paths.sorted { $0.key < $1.key }.compactMap { name, path in
        // `$.body.code` in the view and `$.code` in a JSON body refer to the same value.
        (view[path] ?? view["body"]?[path]).map { .init(key: name, value: $0) }
      })
  }
}

extension RequestRecord {
  /// The entry of the transcript for a request that the kit sends as these bytes.
  fileprivate init(_ request: HTTPRequest, as bytes: [UInt8], exchange: String) {
    var reader = HTTPMessageReader(.requests)
    reader.append(bytes)
    // If a case made the bytes malformed, the entry shows the request before that change.
    var message = HTTPMessage(line: "\(request.method) \(request.target) HTTP/1.1", headers: request.headers)
    if case .message(let whole) = reader.next() { message = whole }
    self.init(
      connection: 0, line: message.line, headers: message.headers, body: Octets(request.body), exchange: exchange)
  }
}

extension WireFailure {
  /// The failure with at most `limit` of the bytes that arrived.
  fileprivate func withEvidence(of limit: Int) -> WireFailure {
    guard received.bytes.count > limit else { return self }
    var failure = self
    failure.text += " (the first \(limit >> 10) KiB are kept)"
    failure.received = Octets(received.bytes.prefix(limit))
    return failure
  }
}
