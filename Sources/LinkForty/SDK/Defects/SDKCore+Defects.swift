import HTTPValues
import JSONKit
import LinkFortyModel

/// The state that defects and variants need.
struct DefectMemory: Hashable, Sendable {
  /// The link that was created last, for a defect that answers from a cache.
  var lastLink: JSON?
  /// Whether a failure has occurred after which every request to create a link fails.
  var isWedged = false
  /// Queued events that were delivered, for a defect that removes them only after a complete flush.
  var delivered: Set<Int> = []
  var links = LinkMemory()
  /// The install id of the first event, for a defect that sends this id with all events.
  var firstInstallID: String?
  /// The calls whose request to create a link was repeated.
  var retriedLinks: Set<Int> = []
  var data = DataDefectMemory()
  /// The requests that a variant repeats if they fail, by their number.
  var repeats: [Int: RepeatedRequest] = [:]
}

// Changes of the state machine by defects. Without a defect, none of them has an effect.
extension SDKCore {
  /// Performs the actions that a defect adds to the rejection of a configuration.
  mutating func rejectForDefects(_ request: ConfigurationRequest) {
    if seams.has(.initTrafficBeforeValidation), let base = try? Configuration(.init(baseUrl: request.baseUrl)) {
      configuration = base
      send(outbox?.install(), for: .nothing, patience: Patience.report)
      configuration = nil
    }
    if seams.has(.initRejectionSticks) { phase = .ready }
  }

  /// If a defect or variant handles a second call of `initialize`, answers the call and returns true. Otherwise returns
  /// false.
  mutating func initializesAgainForDefects(_ call: Int, _ request: ConfigurationRequest) -> Bool {
    if seams.has(.initReconfigures), let next = try? Configuration(request) { configuration = next }
    var isStarting = false
    if case .starting = phase { isStarting = true }
    let reportsAgain = seams.has(.initSecondInstall) && !isStarting || seams.has(.initOverlapUnguarded) && isStarting
    if reportsAgain { send(outbox?.install(), for: .nothing, patience: Patience.report) }
    guard reportsAgain || seams.has(.variantSecondInitWarns) else { return false }
    reply(call, .success(InstallResponse.report(of: install)))
    return true
  }

  /// If a defect ends initialisation because stored data cannot be read, reports the error and returns true. Otherwise
  /// returns false.
  mutating func refusesForDefects(_ stored: StoredState) -> Bool {
    let isFatal =
      seams.has(.queueCorruptFatal) && stored.unreadable.contains(.queue)
      || seams.has(.installDataCorruptFatal) && stored.unreadable.contains(.install)
    guard isFatal, case .starting(let call) = phase else { return false }
    phase = .uninitialized
    fail(call, SDKError(.generic, "storage cannot be read"))
    return true
  }

  /// The default attribution window, in milliseconds.
  private static let week = 604_800_000

  /// If a defect changes the rest of a launch, performs this rest and returns true. Otherwise does nothing and returns
  /// false.
  mutating func launchesForDefects(_ stored: StoredState) -> Bool {
    let isOld = stored.launchedAt.map { now - $0 > Self.week } ?? false
    if seams.has(.installAgainOnRelaunch) || seams.has(.installAgainAfterAWeek) && isOld {
      reportInstall()
    } else if seams.has(.installDataExpires), isOld, var install = stored.install {
      install.deepLinkData = nil
      finishLaunch(with: install, isNew: false)
    } else if seams.has(.launchForgetsInstall), stored.install != nil {
      finishLaunch(with: nil, isNew: false)
    } else if seams.has(.installNeverAgain) || seams.has(.clearDataKeepsFirstLaunch), stored.hasLaunched,
      stored.install == nil
    {
      finishLaunch(with: nil, isNew: false)
    } else if seams.has(.launchNeedsServer), let install = stored.install {
      send(outbox?.health(), for: .launchCheck(install), patience: Patience.report)
    } else {
      return false
    }
    return true
  }

  /// Handles the answer to a check of the server. Only a defect sends such a check.
  mutating func launchChecked(_ install: InstallResponse, _ result: Result<HTTPResponse, SDKError>) {
    guard case .failure(let error) = result else { return finishLaunch(with: install, isNew: false) }
    failLaunch(error)
  }

  /// If a defect ends initialisation because the report of the install failed, reports the error and returns true.
  /// Otherwise returns false.
  mutating func failsLaunchForDefects(_ result: Result<HTTPResponse, SDKError>) -> Bool {
    guard case .failure(let error) = result else { return false }
    let isFatal =
      seams.has(.installFailureFatal) && error.kind != .serverError
      || seams.has(.installServerErrorFatal) && (error.status ?? 0) >= 500
    if isFatal { failLaunch(error) }
    return isFatal
  }

  private mutating func failLaunch(_ error: SDKError) {
    guard case .starting(let call) = phase else { return }
    phase = .uninitialized
    fail(call, error)
  }

  /// If a defect answers a call for a new link without sending a request, answers the call and returns true. Otherwise
  /// returns false.
  mutating func createsLinkForDefects(_ call: Int, _ options: CreateLinkOptions) -> Bool {
    if seams.has(.errorWedges), memory.isWedged {
      fail(call, SDKError(.generic, "an earlier failure was not cleaned up"))
    } else if seams.has(.linkCached), let cached = memory.lastLink {
      reply(call, .success(cached))
    } else if !seams.accepts(options) {
      fail(call, SDKError(.generic, "a link needs a title"))
    } else {
      return false
    }
    return true
  }

  /// Records the result of a request to create a link, for defects.
  mutating func rememberForDefects(_ made: Result<JSON, SDKError>) {
    switch made {
    case .success(let link): memory.lastLink = link
    case .failure: memory.isWedged = true
    }
  }

  /// If a defect replaces a call of `flush`, answers the call and returns true. Otherwise returns false.
  mutating func flushesForDefects(_ call: Int) -> Bool {
    if seams.has(.flushEmptyPings), queue.isEmpty { send(outbox?.health(), for: .nothing, patience: Patience.report) }
    if seams.has(.flushEmptyFails), queue.isEmpty {
      fail(call, SDKError(.generic, "nothing to flush"))
      return true
    }
    guard seams.has(.flushNothing) else { return false }
    reply(call, .success(.null))
    return true
  }
}
