import AdapterProtocol
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import NIOCore

/// The surroundings of one app: its clock, its requests, and the `advance` commands that have no answer yet.
///
/// All work of the app happens on the loop, in closures that do not wait. So between two closures the app waits only
/// for timers and for responses.
final class AppWorld: AppSurroundings {
  private struct Question {
    var inFlight: Int
    var answer: (Double?) -> Void
  }

  private let clock: any AppClock
  private let loop: any EventLoop
  private let output: Output
  private let client: WireClient
  private let connections = KeptConnections()
  private var requests: [Int: WireClient.Exchange] = [:]
  private var abandoned: Set<Int> = []
  private var lastRequest = 0
  private var questions: [Question] = []
  private var isClosed = false

  init(clock: any AppClock, loop: any EventLoop, output: Output, tls: (any ClientTLS)?, hosts: [String: String] = [:]) {
    self.clock = clock
    self.loop = loop
    self.output = output
    client = WireClient(group: loop, limits: .init(exchange: nil), tls: tls, hosts: hosts)
  }

  var now: Int { clock.now }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    clock.schedule(after: milliseconds) { [weak self, output] in
      output.together {
        action()
        self?.look()
      }
    }
  }

  func callBack(_ handle: String, _ value: JSON) {
    output.write(AdapterCallback(handle: handle, value: value).notification)
  }

  func send(
    _ request: HTTPRequest, to endpoint: WireEndpoint, chunked: Bool,
    completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) -> AppTimer {
    let request = chunked ? request.chunked : request
    let bytes = HTTPMessageWriter.bytes(of: request, to: endpoint.authority, keepsAlive: true)
    lastRequest += 1
    let id = lastRequest
    let kept = request.headers["Connection"] == nil ? connections : nil
    requests[id] = client.start(bytes, to: endpoint, on: loop, keeping: kept) { self.finish(id, $0, completion) }
    return AppTimer { [weak self] in self?.abandon(id) }
  }

  /// Gives up on a request. The request counts as outstanding until its connection is closed, because only the closed
  /// connection shows the kit that the request was given up.
  private func abandon(_ id: Int) {
    guard let request = requests[id] else { return }
    abandoned.insert(id)
    request.cancel()
  }

  private func finish(
    _ id: Int, _ result: Result<ResponseRecord, WireFailure>, _ completion: (Result<HTTPResponse, WireFailure>) -> Void
  ) {
    // A request that was given up has no completion any more.
    guard requests.removeValue(forKey: id) != nil, !isClosed else { return }
    guard abandoned.remove(id) == nil else { return look() }
    output.together {
      completion(result.map { HTTPResponse(status: $0.status, headers: $0.headers, body: $0.body.bytes) })
      look()
    }
  }

  /// Moves the virtual clock. ``look()`` calls `answer` as soon as at most `inFlight` requests are outstanding. If the
  /// clock runs by itself, returns false and does nothing.
  func advance(to instant: Double, inFlight: Int, answer: @escaping (Double?) -> Void) -> Bool {
    guard let clock = clock as? SteppedClock else { return false }
    if let due = clock.next, due <= instant { output.flush() }
    clock.advance(to: instant)
    questions.append(Question(inFlight: inFlight, answer: answer))
    return true
  }

  /// Answers each `advance` whose `inFlight` is not exceeded by the outstanding requests. Does nothing while the
  /// connection of an abandoned request is being closed: the kit counts this request until it has seen the connection
  /// close.
  func look() {
    guard let clock = clock as? SteppedClock, abandoned.isEmpty else { return }
    let answered = questions.filter { requests.count <= $0.inFlight }
    questions.removeAll { requests.count <= $0.inFlight }
    for question in answered { question.answer(clock.next) }
  }

  func close() {
    isClosed = true
    clock.stop()
    for request in requests.values { request.cancel() }
    requests = [:]
    connections.close()
    let open = questions
    questions = []
    for question in open { question.answer(nil) }
  }
}

extension HTTPRequest {
  /// The same request with a body in chunks, and without `Content-Length`.
  fileprivate var chunked: HTTPRequest {
    var request = self
    request.headers["Content-Length"] = nil
    request.headers["Transfer-Encoding"] = "chunked"
    return request
  }
}
