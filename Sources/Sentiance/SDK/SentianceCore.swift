import ConformanceModel
import HTTPValues
import JSONKit
import ReferenceKit

/// The timers of the SDK. Each value is one timer.
package enum SentianceTimer: Hashable, Sendable {
  /// The time limit of the request with this number.
  case request(Int)
  /// The time limit for the report of a linker.
  case linker
}

package typealias SentianceInput = SDKInput<SentianceCall, SentianceStored, SentianceTimer>
package typealias SentianceEffect = SDKEffect<SentianceFile, SentianceTimer, SentianceFailure>

/// The Sentiance SDK without I/O. It creates, links and removes the user of the device. There is at most one user.
///
/// The SDK carries out one ``Operation`` at a time: a creation, a link, a legacy initialisation or a reset. A new user
/// is stored before the app is notified, so that the user survives a crash between the two actions.
package struct SentianceCore: SDKStateMachine, Sendable {
  /// The progress of the initialisation. The raw values are the names that the Sentiance SDK returns to apps.
  enum InitPhase: String, Sendable {
    case notInitialized = "NOT_INITIALIZED"
    case initializing = "INIT_IN_PROGRESS"
    case initialized = "INITIALIZED"
  }

  /// Time limits of requests and linkers, in milliseconds.
  enum Patience {
    static let answer = 30_000
    static let linker = 60_000
    /// The limit for the request that reports a reset to the platform. The reset succeeds even if the platform does not
    /// answer.
    static let announcement = 10_000
  }

  let switches: Switches<SentianceSwitch>
  var facts: DeviceFacts
  var random: SeededRandom
  /// The stored data; nil until the storage is read.
  private var stored: SentianceRecord?
  /// The calls that arrived before the storage was read.
  private var early: [(number: Int, call: SentianceCall)] = []
  var phase = InitPhase.notInitialized
  /// True if the app's last initialisation was a legacy initialisation.
  var isLegacy = false
  var operation: Operation?
  /// The open requests, by number.
  var flights: [Int: PlatformRequest] = [:]
  /// The purposes that wait until the user's token is renewed.
  var tokenUses: [TokenUse] = []
  private var linkerObservers: [String] = []
  private var completionObservers: [String] = []
  private var lastRequest = 0
  private var lastLinkerCall = 0
  /// The time of the wall clock, in milliseconds since 1970.
  private(set) var now = 0
  private var effects: [SentianceEffect] = []

  /// Creates an SDK that was just loaded into an app. `seed` decides its random ids.
  package init(facts: DeviceFacts = DeviceFacts(), seed: UInt64, switches: Switches<SentianceSwitch> = Switches()) {
    self.facts = facts
    self.switches = switches
    random = SeededRandom(seed: seed)
  }

  package mutating func handle(_ input: SentianceInput, now: Int) -> [SentianceEffect] {
    self.now = now
    switch input {
    case .call(let number, let call):
      early.append((number, call))
      if stored == nil { emit(.load) } else { takeCalls() }
    case .loaded(let found):
      if stored == nil { stored = found.record }
      takeCalls()
    case .answered(let id, let result): answered(id, result)
    case .fired(.request(let id)): giveUp(id)
    case .fired(.linker): linkerWasSilent()
    case .closing: break
    }
    defer { effects = [] }
    return effects
  }

  private mutating func takeCalls() {
    let calls = early
    early = []
    for (number, call) in calls { receive(number, call) }
  }

  private mutating func receive(_ number: Int, _ call: SentianceCall) {
    switch call {
    case .initialize: initialize(number)
    case .initializeWithUser(let options): initialize(number, with: options)
    case .createUser(let options): createUser(number, options)
    case .linkUser(let method): linkUser(number, method)
    case .requestToken: requestToken(number)
    case .refresh: refresh(for: .app(number))
    case .reset: reset(number)
    case .userExists: reply(number, .bool(user != nil))
    case .isUserLinked: reply(number, .bool(user?.isLinked == true))
    case .userID: reply(number, user.map { .string($0.id) } ?? .null)
    case .isEnabled: reply(number, .bool(user?.isEnabled == true))
    case .initState: reply(number, .string(operation?.kind == .reset ? "RESETTING" : phase.rawValue))
    case .observeLinkers(let handle): observe(number) { $0.linkerObservers.append(handle) }
    case .observeCompletions(let handle): observe(number) { $0.completionObservers.append(handle) }
    case .surround(let facts): observe(number) { try? $0.facts.take(JSONField(.object(facts))) }
    case .reportLinker(let name, let report):
      observe(number) { $0.linkerReported(name, report) }
    }
  }

  private mutating func observe(_ number: Int, _ change: (inout Self) -> Void) {
    reply(number, .null)
    change(&self)
  }
}

// Parts that the steps share.
extension SentianceCore {
  /// The data that the SDK keeps between launches of the app. If the data is changed, this property also emits the
  /// effect that stores it.
  var record: SentianceRecord {
    get { stored ?? SentianceRecord() }
    set {
      guard newValue != stored else { return }
      stored = newValue
      emit(newValue == SentianceRecord() ? .erase : .store(.record, newValue.representation))
    }
  }

  var user: UserRecord? { record.user }

  mutating func emit(_ effect: SentianceEffect) { effects.append(effect) }

  mutating func reply(_ number: Int, _ value: JSON) { emit(.reply(number, .success(value))) }

  /// Ends a call with an error that the app gets directly. No completion is called.
  mutating func raise(_ number: Int, _ failure: SentianceFailure) { emit(.reply(number, .failure(failure))) }

  /// Ends a call. Its completion is called on the app's main thread.
  mutating func complete(_ call: Int, _ kind: Operation.Kind, _ result: Result<JSON, SentianceFailure>) {
    for handle in completionObservers { emit(.callback(handle: handle, result.told(of: kind))) }
    emit(.reply(call, result))
  }

  /// Ends the operation and then calls its completion. The operation ends first, so that the completion can begin the
  /// next operation.
  mutating func end(_ result: Result<JSON, SentianceFailure>) {
    guard let ended = operation else { return }
    operation = nil
    complete(ended.call, ended.kind, result)
  }

  /// Calls the app's linker on a background thread, since a linker may block.
  mutating func callLinker(with installID: String) {
    lastLinkerCall += 1
    let call = LinkerCall(name: "link-\(lastLinkerCall)", installID: installID)
    operation?.linkerCall = call.name
    emit(.startTimer(.linker, milliseconds: linkerPatience))
    for handle in linkerObservers { emit(.callback(handle: handle, call.told)) }
  }

  /// Sends a request. `token` is the access token of the operation's install or of the existing user. It is nil for a
  /// creation, which needs no token.
  mutating func send(
    _ wanted: PlatformRequest, to platformURL: String, token: AccessToken?, patience: Int = Patience.answer
  ) {
    lastRequest += 1
    flights[lastRequest] = wanted
    let writer = RequestWriter(facts: facts, platformURL: platformURL, token: token)
    guard let request = writer.request(wanted) else {
      return answered(lastRequest, .failure(TransportFailure("'\(platformURL)' is not an HTTP URL")))
    }
    emit(.send(lastRequest, varied(request)))
    emit(.startTimer(.request(lastRequest), milliseconds: patience))
  }

  private mutating func giveUp(_ id: Int) {
    guard flights[id] != nil else { return }
    emit(.cancel(id))
    answered(id, .failure(TransportFailure("no answer arrived in time")))
  }

  /// Cancels all open requests; their answers are ignored.
  mutating func cancelFlights() {
    for id in flights.keys.sorted() {
      emit(.cancel(id))
      emit(.stopTimer(.request(id)))
    }
    flights = [:]
  }

  private mutating func answered(_ id: Int, _ result: Result<HTTPResponse, TransportFailure>) {
    guard let flight = flights.removeValue(forKey: id) else { return }
    emit(.stopTimer(.request(id)))
    switch flight {
    case .create(let creation, _): created(creation, result.read(CreatedUser.self))
    case .confirm: confirmed(result.read(Person.self))
    case .redeem: redeemed(result.read(Person.self))
    case .configuration(let waiter): refreshed(waiter, result.read(Configuration.self))
    case .renewToken: renewed(result.read(AccessToken.self))
    case .announceReset: end(.success(.null))
    }
  }
}

extension Result<JSON, SentianceFailure> {
  /// The value that a completion gets as the result of this kind of operation.
  fileprivate func told(of kind: Operation.Kind) -> JSON {
    var (result, error) = (JSON.null, JSON.null)
    switch self {
    case .success(let value): result = value
    case .failure(let failure):
      error = ["reason": .string(failure.reason.rawValue), "details": .string(failure.details)]
    }
    return [
      "of": .string(kind.rawValue), "result": result, "error": error,
      "thread": .string(CallbackThread.main.rawValue),
    ]
  }
}
