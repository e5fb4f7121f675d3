import ConformanceModel
import JSONKit
import ReferenceKit

/// The timers of the SDK. At most one timer of each kind runs at a time.
package enum EngageTimer: Hashable, Sendable {
  /// The time limit of the open request has passed.
  case timeout
  /// The pause after a failure has passed.
  case retry
}

package typealias EngageInput = SDKInput<EngageCall, EngageStored, EngageTimer>
package typealias EngageEffect = SDKEffect<EngageFile, EngageTimer, EngageFailure>

/// The Mobile Engage SDK without I/O.
///
/// All requests wait in one queue that survives the process, and one request is open at a time. So a registration
/// precedes the link request, the link request precedes events, and no request overtakes a sign-out. A request that
/// needs a contact waits until the client is linked. Source: the workflow of the v3 API; each extension implements a
/// few of its steps.
package struct EngageCore: SDKStateMachine, Sendable {
  /// A session: a time during which the app is in the foreground.
  struct Session: Hashable, Sendable {
    var id: String
    /// The start in milliseconds since 1970.
    var start: Int
  }

  /// The open request.
  struct Flight: Hashable, Sendable {
    var id: Int
    var waiting: WaitingRequest
    /// The properties that a registration contains; nil for any other request. They are stored when the server accepts
    /// them.
    var properties: JSON?
    /// The number of renewals of the contact token for this request so far.
    var renewals = 0
    /// Whether the request on the wire is a renewal of the contact token.
    var isRenewal = false
  }

  /// The time limit for an answer and the pause after a failure, in milliseconds. The documents do not define these
  /// times. The times are short, so that runs in real time are short.
  enum Patience {
    static let answer = 10_000
    static let retry = 2_500
  }

  package var device: DeviceProperties
  let events: EventsVersion
  let switches: Switches<EngageSwitch>
  var random: SeededRandom
  /// The stored facts about the client; nil until the storage is read.
  var record: ClientRecord?
  /// The calls that arrived before the storage was read.
  var early: [(number: Int, call: EngageCall)] = []
  var setup: EngageCall.Setup?
  var queue = RequestQueue()
  var outcomes: [PendingOutcome] = []
  var flight: Flight?
  /// Whether the queue waits, after a failed request, for a reason to continue.
  var rests = false
  var session: Session?
  var isForeground: Bool
  var isOnline = true
  var isPaused = false
  /// The offset of the wall clock from the true time, in milliseconds.
  var clockOffset = 0
  private var lastRequest = 0
  private var steady = 0
  private var effects: [EngageEffect] = []

  /// An SDK that was just loaded into an app. Random ids come from `seed`.
  package init(
    device: DeviceProperties = DeviceProperties(), events: EventsVersion = .v3, isForeground: Bool = true, seed: UInt64,
    switches: Switches<EngageSwitch> = Switches()
  ) {
    self.device = device
    self.events = events
    self.switches = switches
    self.isForeground = isForeground
    random = SeededRandom(seed: seed)
  }

  package mutating func handle(_ input: EngageInput, now: Int) -> [EngageEffect] {
    steady = now
    switch input {
    case .call(let number, let call):
      early.append((number, call))
      if record == nil { emit(.load) } else { takeCalls() }
    case .loaded(let stored): take(stored)
    case .answered(let id, let result): answered(id, result)
    case .fired(.timeout): giveUp()
    case .fired(.retry): deliver()
    case .closing: break
    }
    defer { effects = [] }
    return effects
  }

  private mutating func take(_ stored: EngageStored) {
    guard record == nil else { return }
    var client = remembered(stored.client)
    if client.clientID == nil { client.clientID = stored.legacyID }
    record = client
    queue = RequestQueue(unexpired(stored.queue))
    takeCalls()
  }

  /// Answers the calls in ``early``, and performs them. The outcomes are reported later, to the callbacks of the calls.
  private mutating func takeCalls() {
    let calls = early
    early = []
    for (number, call) in calls {
      emit(.reply(number, .success(.null)))
      receive(call)
    }
  }

  private mutating func receive(_ call: EngageCall) {
    switch call {
    case .setup(let setup, let handle): setUp(setup, handle)
    case .setContact(let identity, let handle): signIn(identity, handle)
    case .clearContact(let handle): signOut(handle)
    case .track(let name, let attributes, let handle): track(name, attributes, handle)
    case .setPushToken(let token, let handle): setPushToken(token, handle)
    case .clearPushToken(let handle): clearPushToken(handle)
    case .setApplicationCode(let code, let handle): change(to: code, handle)
    case .pauseMessages(let isPaused): self.isPaused = isPaused
    case .fetchInbox(let handle): submit([.fetchInbox], handle)
    case .fetchGeofences(let handle): submit([.fetchGeofences], handle)
    case .trackDeepLink(let link, let handle): submit([.reportDeepLink(link)], handle)
    case .dropStorage(let keys): drop(keys)
    case .seedLegacyStorage(let identity): seedLegacy(identity)
    case .surround(let facts): surround(facts)
    }
  }
}

// Parts that the steps share.
extension EngageCore {
  /// The time of the wall clock, which may jump, in milliseconds since 1970.
  var now: Int { steady + clockOffset }

  /// The stored facts about the client. Setting a different value stores it.
  var client: ClientRecord {
    get { record ?? ClientRecord() }
    set {
      guard newValue != record else { return }
      record = newValue
      emit(.store(.client, newValue.representation))
    }
  }

  mutating func emit(_ effect: EngageEffect) { effects.append(effect) }

  /// Stores the changes of the queue. They are stored at once, since an app may be killed at any time.
  mutating func storeQueue() {
    let changes = queue.takeChanges()
    if changes.isEmpty || switches.has(.queueInMemory) { return }
    emit(.note(.queue, changes))
  }

  /// A new number for a request on the wire.
  mutating func nextRequest() -> Int {
    lastRequest += 1
    return lastRequest
  }

  /// Reports the outcome of a call to the app.
  mutating func tell(_ handle: String?, _ result: Result<Void, EngageFailure>) {
    if let handle { emit(.callback(handle: handle, result.told)) }
  }

  mutating func reject(_ handle: String?, _ reason: String) { tell(handle, .failure(EngageFailure(.rejected, reason))) }

  /// Whether requests can be sent: the app has an application code.
  var isConfigured: Bool {
    guard let setup else { return false }
    return switches.has(.goesOnWithoutCode) || !(setup.applicationCode ?? "").isEmpty
  }

  /// Adds requests to the queue, and sends the next request if possible. The outcome is reported once all added
  /// requests have ended.
  mutating func submit(_ purposes: [WaitingRequest.Purpose], _ handle: String?) {
    guard isConfigured else { return reject(handle, "the SDK has no application code") }
    if switches.has(.offlineIsDropped), !isOnline { return tell(handle, .success(())) }
    let numbers = purposes.map { queue.add($0) }
    wait(for: numbers, handle)
    storeQueue()
    deliver()
  }

  /// Reports to the app once these requests have ended. Reports at once if there are no requests.
  mutating func wait(for numbers: [Int], _ handle: String?) {
    guard let handle else { return }
    guard !numbers.isEmpty else { return tell(handle, .success(())) }
    outcomes.append(PendingOutcome(handle: handle, requests: Set(numbers)))
  }

  /// Removes a request that will not be repeated, and reports the outcomes of calls that waited for it.
  mutating func end(_ number: Int, _ result: Result<Void, EngageFailure>) {
    queue.remove(number)
    storeQueue()
    for index in outcomes.indices where outcomes[index].requests.remove(number) != nil {
      if case .failure(let failure) = result, outcomes[index].failure == nil { outcomes[index].failure = failure }
    }
    for outcome in outcomes where outcome.requests.isEmpty { tell(outcome.handle, outcome.result) }
    outcomes.removeAll { $0.requests.isEmpty }
  }
}
