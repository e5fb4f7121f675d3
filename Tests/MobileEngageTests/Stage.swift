import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import MobileEngage

/// An app with the SDK, played by a test: it answers requests, moves the clock and ends the app.
struct Stage {
  /// 2026-03-01, in milliseconds since 1970.
  static let start = 1_772_323_200_000
  static let code = "EMS11-C3FD3"

  private(set) var core: EngageCore
  private(set) var now = Stage.start
  private(set) var files: [EngageFile: [UInt8]] = [:]
  private var journals: [EngageFile: Journal] = [:]
  /// The callbacks of the app's calls, in order.
  private(set) var told: [(handle: String, value: JSON)] = []
  /// The open requests. The SDK may have one at most.
  private(set) var open: [(id: Int, request: HTTPRequest)] = []
  private(set) var outgoing: [OutgoingRequest] = []
  private(set) var cancelled = 0
  private var timers: [EngageTimer: Int] = [:]
  private var answers = 0
  private var lastCall = 0
  private var launches: UInt64 = 1
  private let events: EventsVersion
  private let switches: Switches<EngageSwitch>

  init(
    _ switches: Set<EngageSwitch> = [], device: DeviceProperties = DeviceProperties(), events: EventsVersion = .v3,
    isForeground: Bool = true, files: [EngageFile: String] = [:]
  ) {
    self.files = files.mapValues { Array($0.utf8) }
    self.events = events
    self.switches = Switches(switches)
    core = EngageCore(
      device: device, events: events, isForeground: isForeground, seed: launches, switches: self.switches)
  }

  /// Kills the app and starts it again. Only its storage is kept.
  mutating func relaunch(
    device: DeviceProperties? = nil, isForeground: Bool = true, without keys: [String] = []
  ) {
    launches += 1
    core = EngageCore(
      device: device ?? core.device, events: events, isForeground: isForeground, seed: launches, switches: switches)
    open = []
    timers = [:]
    journals = [:]
    if !keys.isEmpty { call { _ in .dropStorage(keys) } }
    setUp()
  }

  /// Sets up the SDK as an app does at its start.
  mutating func setUp(
    code: String? = Stage.code, acceptsAnonymous: Bool = true, client: String = "http://client.test:8080"
  ) {
    let services = ServiceURLs(
      client: client, events: "http://events.test", inbox: "http://inbox.test", deepLink: "http://links.test")
    call { .setup(.init(applicationCode: code, services: services, acceptsAnonymous: acceptsAnonymous), handle: $0) }
  }

  /// An app with the SDK set up and the requests of its start answered.
  static func started(
    _ switches: Set<EngageSwitch> = [], events: EventsVersion = .v3, isForeground: Bool = true
  ) -> Stage {
    var stage = Stage(switches, events: events, isForeground: isForeground)
    stage.setUp()
    stage.accept()
    return stage
  }

  /// Makes a call with a handle of its own, by which its outcome is found.
  @discardableResult
  mutating func call(_ make: (String) -> EngageCall) -> String {
    lastCall += 1
    let handle = "call-\(lastCall)"
    take(.call(lastCall, make(handle)))
    return handle
  }

  @discardableResult
  mutating func track(_ name: String, _ attributes: JSON.Object? = nil) -> String {
    call { .track(name: name, attributes: attributes, handle: $0) }
  }

  @discardableResult
  mutating func signIn(_ value: String, field: Int = 2575) -> String {
    call { .setContact(ContactIdentity(fieldID: field, .value(value)), handle: $0) }
  }

  @discardableResult
  mutating func signOut() -> String { call { .clearContact(handle: $0) } }

  @discardableResult
  mutating func push(_ token: String) -> String { call { .setPushToken(token, handle: $0) } }

  mutating func surround(_ facts: JSON.Object) { call { _ in .surround(facts) } }

  /// The stored entries of the queue, in order.
  var stored: [JSON] { Journal.entries(of: files[.queue] ?? []).map(\.value) }

  /// The callbacks for a call, in order.
  func outcomes(_ handle: String) -> [JSON] { told.filter { $0.handle == handle }.map(\.value) }

  /// Whether a call has succeeded; nil if it is still open.
  func succeeded(_ handle: String) -> Bool? {
    guard case .bool(let isSuccess)? = outcomes(handle).last?["ok"] else { return nil }
    return isSuccess
  }

  // Actions of a server.

  /// Answers all open requests, and those that follow, as a server does that accepts everything. The state and the
  /// tokens contain the number of the answer.
  mutating func accept() {
    while !open.isEmpty { acceptOne() }
  }

  mutating func acceptOne() {
    answers += 1
    let path = open.first?.request.path ?? ""
    if path.hasSuffix("/contact") {
      answer(200, ["contactToken": .string("ct-\(answers)"), "refreshToken": .string("rt-\(answers)")])
    } else if path.hasSuffix("/contact-token") {
      answer(200, ["contactToken": .string("ct-\(answers)")])
    } else {
      answer(204)
    }
  }

  /// Answers the open request. The state is unique to the answer, unless it is given.
  mutating func answer(_ status: Int, _ body: JSON? = nil, state: String? = nil, headers: HTTPHeaders? = nil) {
    let headers = headers ?? ["X-Client-State": state ?? "cs-\(sent.count)"]
    end(.success(HTTPResponse(status: status, headers: headers, body: body?.compactBytes ?? [])))
  }

  mutating func answer(text: String) {
    end(.success(HTTPResponse(status: 200, body: Array(text.utf8))))
  }

  mutating func lose() { end(.failure(TransportFailure("no connection"))) }

  /// Answers a request that is not open, or no longer.
  mutating func answerLate(_ id: Int, _ status: Int) {
    take(.answered(id, .success(HTTPResponse(status: status, headers: ["X-Client-State": "cs-late"]))))
  }

  private mutating func end(_ result: Result<HTTPResponse, TransportFailure>) {
    guard !open.isEmpty else {
      Issue.record("nothing is on its way")
      return
    }
    take(.answered(open.removeFirst().id, result))
  }

  /// Lets time pass. Timers fire in order.
  mutating func pass(_ milliseconds: Int) {
    let end = now + milliseconds
    while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
      timers[next.key] = nil
      now = next.value
      take(.fired(next.key))
    }
    now = end
  }

  // Observations.

  var sent: [HTTPRequest] { outgoing.map(\.request) }

  /// The requests as method and path below the application, with the event's name behind: `POST client`.
  var trace: [String] { sent.map(Self.name) }

  /// The requests since a number of them.
  func trace(from count: Int) -> [String] { sent.dropFirst(count).map(Self.name) }

  static func name(_ request: HTTPRequest) -> String {
    var path = request.path.split(separator: "/").dropFirst(3)
    if path.count > 1, path.first == "client" { path = path.dropFirst() }
    let target = path.joined(separator: "/") + (request.query.map { "?\($0)" } ?? "")
    let event = request.json?["events"]?.array?.first?["name"]?.string
    return ([request.method, target] + [event].compactMap { $0 }).joined(separator: " ")
  }

  /// The names of the reported events, with repetitions.
  var reported: [String] { sent.compactMap { $0.json?["events"]?.array?.first?["name"]?.string } }

  /// The last reported event of this name.
  func event(_ name: String) -> JSON? {
    sent.compactMap { $0.json?["events"]?.array?.first }.last { $0["name"]?.string == name }
  }

  var last: HTTPRequest? { sent.last }

  private mutating func take(_ input: EngageInput) {
    for effect in core.handle(input, now: now) { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: EngageEffect) {
    switch effect {
    case .load:
      let files = files
      take(.loaded(EngageStored { files[$0] }))
    case .store(let file, let value): files[file] = value.compactBytes
    case .remove(let file): (files[file], journals[file]) = (nil, nil)
    case .note(let file, let changes): note(changes, in: file)
    case .erase: (files, journals) = ([:], [:])
    case .send(let id, let request):
      if !open.isEmpty { Issue.record("\(request.request.target) goes out while another request is on its way") }
      open.append((id, request.request))
      outgoing.append(request)
    case .cancel(let id):
      open.removeAll { $0.id == id }
      cancelled += 1
    case .startTimer(let timer, let milliseconds): timers[timer] = now + milliseconds
    case .stopTimer(let timer): timers[timer] = nil
    case .callback(let handle, let value): told.append((handle, value))
    case .reply, .log, .crash: break
    }
  }

  private mutating func note(_ changes: [Journal.Change], in file: EngageFile) {
    switch journals[file, default: Journal(files[file])].take(changes) {
    case .append(let bytes): files[file, default: []] += bytes
    case .replace(let bytes): files[file] = bytes
    case nil: break
    }
  }
}

extension HTTPRequest {
  var json: JSON? { try? JSON(parsing: body) }
  var state: String? { headers["X-Client-State"] }
  var contactToken: String? { headers["X-Contact-Token"] }
  var order: Int? { headers["X-Request-Order"].flatMap { Int($0) } }
}
