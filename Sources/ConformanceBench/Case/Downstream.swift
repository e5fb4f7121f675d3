import ConformanceModel
import ConformanceWire
import JSONKit
import Synchronization

/// The downstream ports of one case: the client that calls the services of the subject.
final class Downstream: Sendable {
  /// How much is kept of an answer that never was one: enough to see what it was.
  private static let longestEvidence = 64 << 10

  let server: ServerUnderTest
  private let client: WireClient
  private let recorder: Recorder
  private let bender: Bender?
  /// Turns what cases say into what the subject understands, and its answers the other way round.
  private let wire: WireProfile?
  private let delivery: Delivery
  /// Returns when all is written down that the subject has done by now at the ports that it calls.
  private let catchUp: @Sendable () async -> Void
  /// Those that wait for answers, or have waited.
  private let asking = Mutex<[Asking]>([])
  /// Those that requests share, by the names that the case gives them.
  private let connections = Mutex<[String: PersistentConnection]>([:])

  init(
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

  /// A request on its way: where to, and its bytes.
  private struct Order {
    var address: ServerUnderTest.Address
    var bytes: [UInt8]
    var record: RequestRecord
    var connection: PersistentConnection?
  }

  /// Waits for one answer and writes it down.
  private struct Asking {
    var exchange: ExchangeWatch
    var task: Task<Void, Never>
  }

  /// Sends a request to the service of its exchange; the response, or why there is none, reaches the recorder under the
  /// label. With a name it goes over the connection of that name, where the server has kept it.
  func send(_ request: HTTPRequest, of exchange: Exchange, label: String, over name: String? = nil) throws {
    let order = try order(request, of: exchange, over: name)
    recorder.record(.sent(label: label, service: exchange.service.rawValue, order.record))
    let watch = ExchangeWatch()
    let task = Task { [self] in
      let answer = await answer(to: order, of: exchange, watchedBy: watch)
      // What the subject did before it answered came on other sockets, which nobody may have read yet.
      await catchUp()
      switch answer {
      case .success(let response):
        delivery.deliver(.answer, of: exchange.name, response.view) { [recorder] _ in
          recorder.record(.received(label: label, response))
        }
      case .failure(let failure):
        // Given up by the kit, since the case is over: what would have come is not known.
        let failure = Task.isCancelled ? WireFailure(.timeout, "no answer by the end of the case") : failure
        recorder.record(.failed(label: label, failure.withEvidence(of: Self.longestEvidence)))
      }
    }
    asking.withLock { $0.append(Asking(exchange: watch, task: task)) }
  }

  /// Sends a request and gives what came of it, of which nothing is written down.
  func ask(_ request: HTTPRequest, of exchange: Exchange) async throws -> Result<ResponseRecord, WireFailure> {
    await answer(to: try order(request, of: exchange), of: exchange)
  }

  private func order(_ request: HTTPRequest, of exchange: Exchange, over name: String? = nil) throws -> Order {
    guard let address = server.addresses[exchange.service] else {
      throw StepPlayer.Halt(.kitError, "nobody said where the service '\(exchange.service)' listens")
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
    // The transcript knows the words of the protocol alone.
    let known = addressed(request)
    let meant = bytes(of: known)
    return Order(
      address: address, bytes: spoken(request, at: exchange.service).map { bytes(of: addressed($0)) } ?? meant,
      record: RequestRecord(known, as: meant, exchange: exchange.name), connection: name.map(connection))
  }

  /// The request in the words of the subject; nil where it has no other ones for it.
  private func spoken(_ request: HTTPRequest, at service: ServiceName) -> HTTPRequest? {
    guard let wire, case .translated(let spoken) = wire.read(request, at: service) else { return nil }
    return spoken
  }

  /// An answer of the subject as cases know it.
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
          throw WireFailure(.closed, "the connection ended without an answer")
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

  /// Returns when all is written down that the subject had answered by now.
  func readDry() async {
    for asking in asking.withLock(\.self) where await asking.exchange.hasEndedByNow() { await asking.task.value }
  }

  /// Gives up what is still asked, and returns when nothing of it is left.
  func finish() async {
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
  /// The values that stand in the response at these paths, as claims see it.
  fileprivate func values(at paths: [String: JSONPath]) -> JSON.Object {
    guard !paths.isEmpty else { return [:] }
    let view = view
    return JSON.Object(
      paths.sorted { $0.key < $1.key }.compactMap { name, path in
        // `$.body.code` in the view, and `$.code` in a JSON body, mean the same.
        (view[path] ?? view["body"]?[path]).map { .init(key: name, value: $0) }
      })
  }
}

extension RequestRecord {
  /// What the transcript says of a request that the kit sends as these bytes.
  fileprivate init(_ request: HTTPRequest, as bytes: [UInt8], exchange: String) {
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
