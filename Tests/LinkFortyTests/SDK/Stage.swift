import AdapterHost
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import ReferenceKit

@testable import LinkForty
@testable import LinkFortyCore
@testable import LinkFortyModel

/// A reference SDK and a reference server in one test, without sockets, files or waiting: requests are answered at
/// once unless the network says otherwise, and time moves when the test says so.
final class Stage: AppSurroundings, Storage {
  /// How the network treats requests.
  enum Network {
    case up
    case refused
    /// Never answered.
    case hanging
    /// Held until ``release()``.
    case held
    case status(Int)
    case body(JSON)
    case refusal(Int, JSON)
    case bytes([UInt8])
  }

  private struct Timer {
    var id: Int
    var due: Int
    var action: () -> Void
  }

  /// Everything that could be observed, in order.
  private(set) var trace: [String] = []
  private(set) var requests: [OutgoingRequest] = []
  var network = Network.up
  /// Another network for requests whose target ends so.
  var networks: [String: Network] = [:]
  /// The network of the next requests, one each, before any other.
  var script: [Network] = []
  private(set) var now = 1_767_225_600_000
  var files: [String: [UInt8]] = [:]
  private var server: LinkFortyServer
  private var timers: [Timer] = []
  private var held: [() -> Void] = []
  private var lastID = 0
  private let switches: Switches<SDKSwitch>
  private(set) var sdk: LinkFortySDK!

  private let initialURL: String?

  init(_ switches: Set<SDKSwitch> = [], dialect: ServerDialect = .spec, initialURL: String? = nil) {
    self.switches = Switches(switches)
    self.initialURL = initialURL
    server = LinkFortyServer(dialect: dialect, seed: 1)
    start()
  }

  static let base = "http://localhost:8080"

  private func start() {
    sdk = LinkFortySDK(
      SDKCore(initialURL: initialURL, switches: switches), in: self, storage: self,
      onLog: { [unowned self] in note("log \($0)") }, onCrash: { [unowned self] in note("crash") })
  }

  func note(_ text: String) { trace.append(text) }

  /// Asks the SDK; the result if it comes at once.
  @discardableResult
  func call(_ call: SDKCall) -> Result<JSON, SDKError>? {
    var outcome: Result<JSON, SDKError>?
    sdk.perform(call) { [unowned self] result in
      outcome = result
      note("reply \(result)")
    }
    return outcome
  }

  @discardableResult
  func initialize(_ base: String = Stage.base, key: String? = nil, window: JSON? = nil) -> Result<JSON, SDKError>? {
    call(.initialize(ConfigurationRequest(baseUrl: base, apiKey: key, attributionWindowHours: window)))
  }

  @discardableResult
  func track(_ name: String, _ properties: JSON.Object? = nil) -> Result<JSON, SDKError>? {
    call(.trackEvent(name: name, properties: properties))
  }

  var queueSize: Int? { try? call(.queueSize)?.get().int }

  /// The names of the events that were sent, in order.
  var sentEvents: [String] { bodies(of: "/event").compactMap { $0["eventName"]?.string } }

  /// The bodies sent to paths that end so.
  func bodies(of path: String) -> [JSON] {
    requests.filter { $0.request.path.hasSuffix(path) }.compactMap { Octets($0.request.body).json }
  }

  /// Ends the app and starts it again, so many milliseconds later; killed, it gets no chance to store anything.
  func restart(killed: Bool = false, after away: Int = 0) {
    if !killed { sdk.close() }
    timers = []
    held = []
    now += away
    note("restart")
    start()
  }

  /// Lets time pass; timers fire in their order.
  func advance(_ milliseconds: Int) {
    let end = now + milliseconds
    while let timer = timers.filter({ $0.due <= end }).min(by: { ($0.due, $0.id) < ($1.due, $1.id) }) {
      timers.removeAll { $0.id == timer.id }
      now = max(now, timer.due)
      timer.action()
    }
    now = end
  }

  /// Answers what was held, in order, and whatever comes of it.
  func release() {
    network = .up
    while !held.isEmpty { held.removeFirst()() }
  }

  // AppSurroundings

  func callBack(_ handle: String, _ value: JSON) { note("callback \(handle) \(value)") }

  func send(
    _ sent: HTTPRequest, to endpoint: WireEndpoint, chunked: Bool,
    completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) -> AppTimer {
    let headers = sent.headers.fields.map { "\($0.name): \($0.value)" }
    note(
      "\(endpoint.isTLS ? "tls " : "")\(endpoint.host):\(endpoint.port) \(sent.method) \(sent.target) \(headers) "
        + "\(chunked ? "chunked " : "")\(String(decoding: sent.body, as: UTF8.self))")
    requests.append(OutgoingRequest(to: endpoint, sent, isChunked: chunked))
    lastID += 1
    let id = lastID
    var isCancelled = false
    respond(to: sent, over: nextNetwork(sent)) { if !isCancelled { completion($0) } }
    return AppTimer { [unowned self] in
      isCancelled = true
      note("cancel \(id)")
    }
  }

  private func nextNetwork(_ request: HTTPRequest) -> Network {
    if !script.isEmpty { return script.removeFirst() }
    return networks.first { request.path.hasSuffix($0.key) }?.value ?? network
  }

  private func respond(
    to request: HTTPRequest, over network: Network,
    _ completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) {
    switch network {
    case .up: completion(.success(server.respond(to: request, at: "main", now: now)))
    case .refused: completion(.failure(WireFailure(.refused, "connection refused")))
    case .hanging: break
    case .held:
      held.append { [unowned self] in completion(.success(server.respond(to: request, at: "main", now: now))) }
    case .status(let status): completion(.success(.json(status, ["error": "scripted"])))
    case .refusal(let status, let body): completion(.success(.json(status, body)))
    case .body(let body): completion(.success(.json(200, body)))
    case .bytes(let bytes): completion(.success(HTTPResponse(status: 200, body: bytes)))
    }
  }

  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer {
    lastID += 1
    let id = lastID
    timers.append(Timer(id: id, due: now + milliseconds, action: action))
    return AppTimer { [unowned self] in timers.removeAll { $0.id == id } }
  }

  /// How many timers are set.
  var timerCount: Int { timers.count }

  // Storage

  func read(_ name: String) -> [UInt8]? { files[name] }

  func replace(_ name: String, with bytes: [UInt8]) {
    files[name] = bytes
    note("store \(name) \(String(decoding: bytes, as: UTF8.self))")
  }

  func append(_ bytes: [UInt8], to name: String) {
    files[name, default: []] += bytes
    note("append \(name) \(String(decoding: bytes, as: UTF8.self))")
  }

  func remove(_ name: String) {
    if files.removeValue(forKey: name) != nil { note("remove \(name)") }
  }

  /// The JSON of a file.
  func stored(_ file: StoredFile) -> JSON? { files[file.rawValue].flatMap { Octets($0).json } }
}

extension Result where Failure == SDKError {
  /// The kind of the error, nil for success.
  var kind: SDKError.Kind? { if case .failure(let error) = self { error.kind } else { nil } }
}

/// The answer to an install that is attributed to the link of the seeds.
let attributedInstall: JSON = InstallResponse(
  installId: "AB0F1C9E-7D3A-4B7E-9A51-2C6F8E0D4B19", attributed: true, confidenceScore: 90, matchedFactors: ["ip"],
  deepLinkData: Seeds.fullLink.data
).representation.setting("2026-03-01T11:30:00+02:00", at: JSONPath([.key("deepLinkData"), .key("clickedAt")]))
