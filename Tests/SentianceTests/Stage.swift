import HTTPValues
import JSONKit
import ReferenceKit
import Testing

@testable import Sentiance

/// A device with the SDK on it, played by a test: it answers requests, moves the clock and ends the app.
struct Stage {
  /// 2026-03-01, in milliseconds since 1970.
  static let start = 1_772_323_200_000
  static let url = "http://platform.test:8080"

  private(set) var core: SentianceCore
  private(set) var now = Stage.start
  private(set) var file: JSON?
  private(set) var replies: [Int: Result<JSON, SentianceFailure>] = [:]
  /// The callbacks in their order, for the handles `linker` and `completion`.
  private(set) var told: [(handle: String, value: JSON)] = []
  /// The unanswered requests, the oldest first.
  private(set) var open: [(id: Int, request: HTTPRequest)] = []
  private(set) var sent: [HTTPRequest] = []
  private var timers: [SentianceTimer: Int] = [:]
  private var lastCall = 0
  private let switches: Switches<SentianceSwitch>

  /// The seed of the launch. Each launch draws other ids than the last.
  private let seed: UInt64

  init(file: JSON? = nil, switches: Set<SentianceSwitch> = [], seed: UInt64 = 7) {
    self.file = file
    self.seed = seed
    self.switches = Switches(switches)
    core = SentianceCore(seed: seed, switches: self.switches)
  }

  /// Kills the app and starts it again. Only the stored file remains.
  mutating func relaunch() {
    let told = told
    var next = Stage(file: file, seed: seed + 1)
    next.told = told
    next.now = now
    self = next
  }

  /// Registers both listeners and initialises the SDK, as an app does at its start.
  mutating func begin() {
    call(.observeLinkers(handle: "linker"))
    call(.observeCompletions(handle: "completion"))
    call(.initialize)
  }

  @discardableResult
  mutating func call(_ call: SentianceCall) -> Int {
    lastCall += 1
    take(.call(lastCall, call))
    return lastCall
  }

  /// The reason why a call failed; nil if it succeeded or is under way.
  func reason(_ call: Int) -> SentianceReason? {
    if case .failure(let failure)? = replies[call] { failure.reason } else { nil }
  }

  func value(_ call: Int) -> JSON? { if case .success(let value)? = replies[call] { value } else { nil } }

  /// Makes a call that is answered at once.
  mutating func ask(_ call: SentianceCall) -> JSON? {
    let number = self.call(call)
    return value(number)
  }

  /// The reason why a call fails at once; nil if it does not fail at once.
  mutating func refusal(of call: SentianceCall) -> SentianceReason? {
    let number = self.call(call)
    return reason(number)
  }

  /// Answers the oldest request.
  mutating func answer(_ status: Int = 200, _ body: JSON = [:]) {
    end(.success(.json(status, body)))
  }

  mutating func answer(text: String) {
    end(.success(HTTPResponse(status: 200, body: Array(text.utf8))))
  }

  mutating func refuse(_ status: Int, _ code: String) { answer(status, ["errorCode": .string(code), "message": "no"]) }

  mutating func lose() { end(.failure(TransportFailure("no connection"))) }

  private mutating func end(_ result: Result<HTTPResponse, TransportFailure>) {
    guard !open.isEmpty else {
      Issue.record("nothing is on its way")
      return
    }
    take(.answered(open.removeFirst().id, result))
  }

  /// Lets time pass and fires the due timers in order.
  mutating func pass(_ milliseconds: Int) {
    let end = now + milliseconds
    while let next = timers.filter({ $0.value <= end }).min(by: { $0.value < $1.value }) {
      timers[next.key] = nil
      now = next.value
      take(.fired(next.key))
    }
    now = end
  }

  /// The value of the last callback to a handle.
  func last(_ handle: String) -> JSON? { told.last { $0.handle == handle }?.value }

  func count(_ handle: String) -> Int { told.count { $0.handle == handle } }

  /// The id of the last call to a linker.
  var linkerCall: String { last("linker")?["call"]?.string ?? "none" }

  private mutating func take(_ input: SentianceInput) {
    for effect in core.handle(input, now: now) { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: SentianceEffect) {
    switch effect {
    case .load:
      let bytes = file?.compactBytes
      take(.loaded(SentianceStored { _ in bytes }))
    case .store(_, let value): file = value
    // The SDK keeps no notes.
    case .note: break
    case .erase, .remove: file = nil
    case .send(let id, let outgoing):
      open.append((id, outgoing.request))
      sent.append(outgoing.request)
    case .cancel(let id): open.removeAll { $0.id == id }
    case .startTimer(let timer, let milliseconds): timers[timer] = now + milliseconds
    case .stopTimer(let timer): timers[timer] = nil
    case .reply(let call, let result): replies[call] = result
    case .callback(let handle, let value): told.append((handle, value))
    case .log, .crash: break
    }
  }
}

/// Answers of the platform.
enum Answers {
  static let token: JSON = ["id": "ut-1", "expires_at": "2099-01-01T00:00:00.000Z"]
  static let expired: JSON = ["id": "ut-0", "expires_at": "2020-01-01T00:00:00.000Z"]

  static func configuration(active: Bool = true, linked: Bool, killswitch: String = "enable_sdk") -> JSON {
    ["active": .bool(active), "linked": .bool(linked), "killswitch_action": .string(killswitch)]
  }

  static func created(
    _ user: String? = "user-1", linked: Bool, active: Bool = true, token: JSON = token
  ) -> JSON {
    [
      "install_id": "install-1", "token": token, "user_id": user.map(JSON.string) ?? .null, "linked": .bool(linked),
      "restored": false, "active": .bool(active), "config": configuration(active: active, linked: linked),
    ]
  }

  static func person(_ user: String = "user-1", linked: Bool = true, active: Bool = true) -> JSON {
    [
      "id": .string(user), "third_party_linked": .bool(linked), "active": .bool(active),
      "config": configuration(active: active, linked: linked),
    ]
  }
}

extension UserCreationOptions {
  static let code: UserCreationOptions = {
    var options = UserCreationOptions(authenticationCode: "code-1")
    options.platformURL = Stage.url
    return options
  }()

  static func credentials(_ linker: Linker?) -> UserCreationOptions {
    var options = UserCreationOptions(appID: "app-1", secret: "secret-1", linker: linker)
    options.platformURL = Stage.url
    return options
  }
}
