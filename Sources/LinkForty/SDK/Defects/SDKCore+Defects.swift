import ConformanceModel
import JSONKit

/// What only defects remember.
struct DefectMemory: Hashable, Sendable {
  /// The link that was created last, for one who answers from a cache.
  var lastLink: JSON?
  /// Whether something went wrong after which nothing goes right.
  var isWedged = false
  /// Queued events that were delivered, for one who takes them out only when the whole flush went well.
  var delivered: Set<Int> = []
  var links = LinkMemory()
  /// The install of the first event, for one who gives it to all.
  var firstInstallID: String?
  /// The orders of links that were tried again.
  var retriedLinks: Set<Int> = []
  var data = DataDefectMemory()
  /// Requests that may be sent again, by their number.
  var repeats: [Int: RepeatedRequest] = [:]
}

// The places of the state machine where a defect takes another way. Without one, none of them does anything.
extension SDKCore {
  /// What goes wrong when a configuration is rejected.
  mutating func rejectForDefects(_ request: ConfigurationRequest) {
    if seams.has(.initTrafficBeforeValidation), let base = try? Configuration(.init(baseUrl: request.baseUrl)) {
      configuration = base
      send(outbox?.install(), for: .nothing, patience: Patience.report)
      configuration = nil
    }
    if seams.has(.initRejectionSticks) { phase = .ready }
  }

  /// Whether a second initialisation was not turned away as it should have been.
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

  /// Whether storage that cannot be read keeps the SDK from starting.
  mutating func refusesForDefects(_ stored: StoredState) -> Bool {
    let isFatal =
      seams.has(.queueCorruptFatal) && stored.unreadable.contains(.queue)
      || seams.has(.installDataCorruptFatal) && stored.unreadable.contains(.install)
    guard isFatal, case .starting(let call) = phase else { return false }
    phase = .uninitialized
    fail(call, SDKError(.generic, "storage cannot be read"))
    return true
  }

  /// As long as attribution looks back, in milliseconds.
  private static let week = 604_800_000

  /// Whether a launch goes on in another way than it should.
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

  /// The end of the question whether the server is there, which only a defect asks.
  mutating func launchChecked(_ install: InstallResponse, _ result: Result<HTTPResponse, SDKError>) {
    guard case .failure(let error) = result else { return finishLaunch(with: install, isNew: false) }
    failLaunch(error)
  }

  /// Whether the failure of the report fails the initialisation.
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

  /// Whether an order of a link is answered in another way.
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

  /// Takes note of what an order of a link came to.
  mutating func rememberForDefects(_ made: Result<JSON, SDKError>) {
    switch made {
    case .success(let link): memory.lastLink = link
    case .failure: memory.isWedged = true
    }
  }

  /// Whether a call of `flush` takes another way.
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
