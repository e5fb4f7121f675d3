import JSONKit
import ReferenceKit
import Templates

/// The places where defects and variants change the SDK. If all defects and variants are off, every member returns the
/// value that the specification demands. The last line of the member returns this value.
struct SDKSeams: Sendable {
  let switches: Switches<SDKSwitch>

  func has(_ one: SDKSwitch) -> Bool { switches.has(one) }
}

// Configuration, errors, logging.
extension SDKSeams {
  var configurationRules: Configuration.Rules {
    var rules = Configuration.Rules()
    if has(.windowZeroAllowed) { rules.window = 0...2160 }
    if has(.windowOneRefused) { rules.window = 2...2160 }
    if has(.window2160Refused) { rules.window = 1...2159 }
    if has(.window2161Allowed) { rules.window = 1...2161 }
    if has(.windowNegativeAllowed) { rules.window = -9999...2160 }
    rules.truncatesWindow = has(.windowFractionTruncated)
    rules.keepsEmptyKey = has(.linkEmptyKeySent)
    rules.baseURL = baseURLRules
    return rules
  }

  private var baseURLRules: BaseURL.Rules {
    var rules = BaseURL.Rules()
    rules.allowsAnyHost = has(.baseURLHTTPAnyHost)
    rules.matchesHostByPrefix = has(.baseURLLocalhostPrefix)
    rules.trustsUserInfo = has(.baseURLUserInfo)
    rules.allowsEmpty = has(.baseURLEmptyAccepted)
    rules.repairs = has(.baseURLMalformedAccepted)
    rules.isCaseSensitive = has(.baseURLCaseSensitive)
    rules.keepsTrailingSlash = has(.baseURLDoubleSlash)
    if has(.baseURLAnyScheme) { rules.schemes += ["ftp", "ws", "file", "httpsx"] }
    if has(.baseURLHTTPSRefused) { rules.schemes.removeAll { $0 == "https" } }
    if has(.baseURLLocalhostRefused) { rules.localHosts.removeAll { $0 == "localhost" } }
    if has(.baseURLLoopbackRefused) { rules.localHosts.removeAll { $0 == "127.0.0.1" } }
    return rules
  }

  /// The result of a call before initialisation; nil if the call fails with the error that the specification requires.
  func replyUninitialized(_ call: SDKCall) -> Result<JSON, SDKError>? {
    switch call {
    case .flush where has(.variantFlushBeforeInit), .clearQueue where has(.variantFlushBeforeInit),
      .installID where has(.variantAccessorsBeforeInit), .installData where has(.variantAccessorsBeforeInit):
      .success(.null)
    case .queueSize where has(.variantFlushBeforeInit): .success(0)
    default: nil
    }
  }

  func logs(_ configuration: Configuration?) -> Bool {
    configuration?.isDebugging ?? false || has(.debugAlwaysOn)
  }

  func logged(_ text: String, _ configuration: Configuration?) -> String {
    has(.debugShowsKey) ? "\(text) key=\(configuration?.apiKey ?? "")" : text
  }
}

// The queue.
extension SDKSeams {
  /// The stored events that have not expired. Without a defect, no event expires.
  func unexpired(_ stored: [PendingEvent], _ now: Int) -> [PendingEvent] {
    guard has(.queueExpires) else { return stored }
    return stored.filter { now - (Timestamp($0.timestamp)?.milliseconds ?? now) < 86_400_000 }
  }

  func queue(_ stored: [PendingEvent]) -> EventQueue {
    var capacity = 100
    if has(.queueHolds99) { capacity = 99 }
    if has(.queueHolds101) { capacity = 101 }
    if has(.queueLimitForgotten) { capacity += stored.count }
    return EventQueue(stored, capacity: capacity, overflow: has(.variantDropsOldest) ? .oldest : .newest)
  }

  /// Whether an undelivered event waits for another attempt.
  func isKept(_ event: PendingEvent, after error: SDKError) -> Bool {
    if has(.queueNothingKept), error.kind == .network { return false }
    if has(.queueLosesOn5xx), error.kind == .serverError { return false }
    if has(.queueLosesOnTimeout), error.kind == .timeout { return false }
    if has(.revenueNeverQueued), event.name == "revenue" { return false }
    if has(.variantRefusedIsQueued), error.kind == .serverError { return true }
    return error.isTransient
  }

  func queued(_ event: PendingEvent) -> PendingEvent {
    var event = event
    if has(.queueForgetsProperties) { event.data = [:] }
    return event
  }

  /// The event of the queue that is sent next. `delivered` contains the numbers of events that the server has received.
  func next(of queue: EventQueue, without delivered: Set<Int>) -> PendingEvent? {
    if has(.flushLIFO) { return queue.events.last }
    return queue.events.first { !delivered.contains($0.number) }
  }

  /// The queued event in the form in which the SDK sends it.
  func reported(_ event: PendingEvent, _ now: Int) -> PendingEvent {
    var event = event
    if has(.flushTimestampRenewed) { event.timestamp = Timestamp(milliseconds: now).text }
    return event
  }

  func flushes(on occasion: FlushOccasion) -> Bool {
    if has(.retryNever) { return false }
    if has(.variantRetryOnNextEvent) { return occasion == .nextEvent }
    if has(.variantRetryOnNextLaunch) { return occasion == .launch }
    return true
  }

  var storesQueue: Bool { !has(.queueMemoryOnly) && !has(.queueStoredAtExit) }
}
