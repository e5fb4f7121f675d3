import JSONKit

// Feature 9, access to stored data, and feature 10, its management.
extension SDKCore {
  /// The result of a call that reads stored data, without a request to the server.
  mutating func stored(_ call: SDKCall) -> JSON {
    if seams.has(.getterAsksServer) { send(outbox?.health(), for: .nothing, patience: Patience.report) }
    return switch call {
    case .installID: seams.installID(of: install)
    case .installData: (memory.data.clearedLink ?? install?.deepLinkData)?.representation ?? .null
    default: .bool(seams.isFirstLaunch(isFirstLaunch ?? false))
    }
  }

  /// Deletes all data in memory and on disk, and cancels open requests whose answers would be stored. The SDK stays
  /// initialised; the next launch is a first launch.
  mutating func clearData(_ call: Int) {
    if clearsForDefects(call) { return }
    let former = self
    let cancelled = cancelRequests(where: isGivenUp)
    emit(.erase)
    queue.removeAll()
    deferred.wipe()
    (install, externalUserID, flush.underWay) = (nil, nil, nil)
    settle(cancelled, with: SDKError(.generic, "the data was cleared"))
    spareForDefects(former)
    scheduleRetry()
    reply(call, .success(.null))
  }

  /// Returns to the state before initialisation. Stored data stays. An event whose request is still open returns to the
  /// queue, since the SDK will not learn the outcome of the request.
  mutating func reset(_ call: Int) {
    if seams.has(.resetStaysInitialized) { return reply(call, .success(.null)) }
    let cancelled = cancelRequests { _ in true }
    let events = cancelled.compactMap { if case .event(let event, _) = $0 { event } else { nil } }
    for event in events { queue.add(event) }
    if !events.isEmpty { storeQueue() }
    flush.underWay = nil
    if case .starting(let initialize) = phase { fail(initialize, SDKError(.generic, "the SDK was reset")) }
    phase = .uninitialized
    settle(cancelled, with: SDKError(.generic, "the SDK was reset"))
    resetForDefects()
    if !seams.has(.userIDSurvivesReset) { externalUserID = nil }
    if !seams.has(.resetKeepsSending) { forgetSession() }
    reply(call, .success(.null))
  }

  /// Removes the state that the next initialisation creates again.
  private mutating func forgetSession() {
    scheduleRetry()
    (install, deferred, queue) = (nil, DeferredLink(), EventQueue())
    if seams.has(.resetKeepsListening) { return }
    configuration = nil
    if !seams.has(.resetKeepsCallbacks) { links = LinkDelivery() }
  }

  /// Answers the calls whose requests were cancelled.
  private mutating func settle(_ cancelled: [Purpose], with error: SDKError) {
    for purpose in cancelled {
      switch purpose {
      case .install, .launchCheck: finishLaunch(with: nil, isNew: true)
      case .event(_, let call), .link(_, let call): fail(call, error)
      case .queued, .resolve, .nothing: break
      }
    }
    for call in flush.calls { reply(call, .success(.null)) }
    flush.calls = []
  }
}

extension SDKCore.Purpose {
  /// Whether the answer to the request would be stored.
  var touchesStoredData: Bool {
    switch self {
    case .install, .launchCheck, .event, .queued: true
    case .resolve, .link, .nothing: false
    }
  }
}
