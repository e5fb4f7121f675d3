import HTTPValues
import JSONKit
import LinkFortyModel
import ReferenceKit

/// The SDK without I/O: inputs go in, effects come out, and the same inputs result in the same effects.
///
/// Source: the thirteen features of the specification; each extension of this type implements a few of them. The kit
/// takes these positions where the documents are silent: initialisation never fails for lack of a network; no request
/// is repeated inside a call; after a network failure or a 5xx status, an event waits in the queue. The queue is sent,
/// oldest event first, after the next delivered event, at the next launch, and every half minute while it is not empty.
package struct SDKCore: SDKStateMachine, Sendable {
  enum Phase: Hashable, Sendable {
    case uninitialized
    /// The SDK is reporting the install for this call of `initialize`. Other calls are allowed already.
    case starting(call: Int)
    case ready
  }

  /// The purpose of an open request.
  enum Purpose: Hashable, Sendable {
    case install
    case event(PendingEvent, call: Int)
    /// Reports the queued event with this number.
    case queued(Int)
    case resolve(url: String, local: DeepLinkData)
    case link(CreateLinkOptions, call: Int)
    /// A request whose answer is ignored; only defects send it.
    case nothing
    case launchCheck(InstallResponse)
  }

  /// Times in milliseconds. The limit for resolving a link that opened the app is shorter than the limit for other
  /// requests.
  enum Patience {
    static let report = 10_000
    static let resolve = 3_000
    static let retry = 30_000
  }

  let seams: SDKSeams
  /// The facts about the device, as they are now. New requests use them.
  package var device: DeviceFacts
  /// The URL that started the app, until initialisation opens it.
  var initialURL: String?
  var phase = Phase.uninitialized
  var configuration: Configuration?
  /// The install that was reported in this or an earlier launch.
  var install: InstallResponse?
  /// Whether this is the first launch; nil until the first initialisation of this process.
  var isFirstLaunch: Bool?
  var deferred = DeferredLink()
  var links = LinkDelivery()
  var queue = EventQueue()
  var flush = FlushState()
  /// The user id, which is kept in memory only.
  var externalUserID: String?
  var requests: [Int: Purpose] = [:]
  var memory = DefectMemory()
  private var lastRequest = 0
  /// The time of the current input, in milliseconds since 1970.
  private(set) var now = 0
  private var effects: [SDKEffect] = []

  /// An SDK that was just loaded into an app.
  package init(
    device: DeviceFacts = DeviceFacts(), initialURL: String? = nil, switches: Switches<SDKSwitch> = Switches()
  ) {
    self.device = device
    self.initialURL = initialURL
    seams = SDKSeams(switches: switches)
  }

  /// Handles an input; the caller must carry out the effects in their order.
  package mutating func handle(_ input: SDKInput, now: Int) -> [SDKEffect] {
    self.now = now
    if seams.crashes(on: input) { return [.crash] }
    switch input {
    case .call(let id, let call): receive(id, call)
    case .loaded(let stored): launch(with: stored)
    case .answered(let id, let answer): finish(id, outcome(of: answer))
    case .fired(.timeout(let id)): timeOut(id)
    case .fired(.retry):
      flush.isRetryScheduled = false
      flushQueue(on: .timer)
    case .fired(.again(let url)): open(url)
    case .fired(.later(let id)): sendAgain(id)
    case .closing: close()
    }
    defer { effects = [] }
    return effects
  }

  private mutating func receive(_ id: Int, _ call: SDKCall) {
    guard phase != .uninitialized || seams.takesUninitialized(call) else {
      return reply(id, seams.replyUninitialized(call) ?? .failure(.notInitialized))
    }
    switch call {
    case .initialize(let request): initialize(id, request)
    case .onDeferredDeepLink(let handle): registerDeferred(id, handle)
    case .onDeepLink(let handle): registerLink(id, handle)
    case .handleURL(let url): handleURL(id, url)
    case .platformURL(let url): receivePlatformURL(id, url)
    case .trackEvent(let name, let properties): trackEvent(id, name, properties)
    case .trackRevenue(let amount, let currency, let properties): trackRevenue(id, amount, currency, properties)
    case .createLink(let options): createLink(id, options)
    case .setExternalUserID(let user): setExternalUserID(id, user)
    case .externalUserID: reply(id, .success(externalUserID.map(JSON.string) ?? .null))
    case .installID, .installData, .isFirstLaunch: reply(id, seams.told(call, stored(call)))
    case .flush: flushQueue(id)
    case .queueSize: reply(id, .success(.int(queue.count)))
    case .clearQueue: clearQueue(id)
    case .clearData: clearData(id)
    case .reset: reset(id)
    }
  }
}

// Parts that the features share.
extension SDKCore {
  mutating func emit(_ effect: SDKEffect) { effects.append(effect) }

  mutating func reply(_ call: Int, _ result: Result<JSON, SDKError>) {
    emit(.reply(call, result))
  }

  mutating func fail(_ call: Int, _ error: SDKError) { reply(call, .failure(error)) }

  mutating func log(_ text: String) {
    if seams.logs(configuration) { emit(.log(seams.logged(text, configuration))) }
  }

  /// Sends a request, and cancels it if no answer arrives within `patience` milliseconds. There is no limit if
  /// `patience` is nil.
  mutating func send(_ request: OutgoingRequest?, for purpose: Purpose, patience: Int?) {
    guard let request else { return }
    lastRequest += 1
    requests[lastRequest] = purpose
    log("\(request.request.method) \(request.request.path)")
    emit(.send(lastRequest, request))
    if let patience { emit(.startTimer(.timeout(lastRequest), milliseconds: seams.patience(patience))) }
    rememberForVariants(request, lastRequest)
  }

  /// Creates the requests for the present configuration; nil without a configuration.
  var outbox: Outbox? {
    configuration.map { Outbox(configuration: $0, device: device, seams: seams, user: linkUser) }
  }

  /// Cancels the requests whose purpose satisfies the condition. Returns their purposes.
  mutating func cancelRequests(where isMeant: (Purpose) -> Bool) -> [Purpose] {
    let meant = requests.filter { isMeant($0.value) }.sorted { $0.key < $1.key }
    for (id, _) in meant {
      requests[id] = nil
      emit(.cancel(id))
      emit(.stopTimer(.timeout(id)))
      forgetForVariants(id)
    }
    return meant.map(\.value)
  }

  private mutating func timeOut(_ id: Int) {
    guard requests[id] != nil else { return }
    emit(.cancel(id))
    finish(id, .failure(SDKError(.timeout, "no answer in time")))
  }

  private mutating func finish(_ id: Int, _ result: Result<HTTPResponse, SDKError>) {
    guard let purpose = requests[id] else { return }
    emit(.stopTimer(.timeout(id)))
    if triesLater(id, purpose, result) { return }
    requests[id] = nil
    switch purpose {
    case .install: installReported(result)
    case .event(let event, let call): eventReported(event, call, result)
    case .queued(let number): queuedReported(number, result)
    case .resolve(let url, let local): resolved(url, local, result)
    case .link(let options, let call): linkCreated(options, call, result)
    case .launchCheck(let install): launchChecked(install, result)
    case .nothing: break
    }
  }

  /// A success is any 2xx; every other answer is an error with a description.
  private func outcome(of answer: Result<HTTPResponse, TransportFailure>) -> Result<HTTPResponse, SDKError> {
    switch answer {
    case .failure(let failure): return .failure(SDKError(.network, failure.text))
    case .success(let response) where seams.isSuccess(response): return .success(response)
    case .success(let response):
      let body = try? JSON(parsing: response.body)
      let reason = body?["message"]?.string ?? body?["error"]?.string ?? response.reason
      return .failure(SDKError(.serverError, "HTTP \(response.status): \(reason)", status: response.status))
    }
  }
}
