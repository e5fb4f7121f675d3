import HTTPValues
import JSONKit
import LinkFortyModel
import ReferenceKit

/// The state that defects of user identity and data management need.
struct DataDefectMemory: Hashable, Sendable {
  /// The user that was set last, for a defect that still sends a cleared user when it creates a link.
  var lastUser: String?
  /// The link that was cleared, for a defect that still returns it to the app.
  var clearedLink: DeepLinkData?
  /// The install that an earlier launch cleared, for a defect that sends it to the server.
  var clearedInstall: String?
  /// Whether the data was cleared since the launch.
  var isCleared = false
  /// The configuration before the last reset, for a defect that keeps parts of it.
  var formerConfiguration: Configuration?
}

// Changes of features 8 to 10. Without a defect or variant, none of them has an effect.
extension SDKCore {
  /// The user in requests that create links.
  var linkUser: String? {
    seams.has(.userIDNullKeptForLinks) ? externalUserID ?? memory.data.lastUser : externalUserID
  }

  /// If a defect rejects the user id, answers the call and returns true. Otherwise returns false.
  mutating func refusesUserForDefects(_ call: Int, _ user: String?) -> Bool {
    if seams.has(.userIDNeedsInit), phase == .uninitialized {
      fail(call, .notInitialized)
    } else if seams.refuses(user: user) {
      fail(call, SDKError(.generic, "this is not a user id"))
    } else {
      memory.data.lastUser = user ?? memory.data.lastUser
      if seams.has(.userIDPersisted) || seams.has(.userIDWritten) {
        emit(.store(.user, user.map(JSON.string) ?? .null))
      }
      if seams.has(.userIDLogged) { log("user \(user ?? "none")") }
      return false
    }
    return true
  }

  /// Keeps the user of a request to create a link, for a defect that uses this user from then on.
  mutating func noteUserForDefects(_ options: CreateLinkOptions) {
    if seams.has(.userIDOverrideSticks) { externalUserID = options[text: "externalUserId"] ?? externalUserID }
  }

  /// Performs the actions of defects at initialisation. Some of them restore data that the defect has stored.
  mutating func recallForDefects(_ stored: StoredState) {
    if seams.has(.userIDPersisted) || seams.has(.userIDStoredAtExit) {
      externalUserID = externalUserID ?? stored.externalUserID
    }
    if seams.has(.userIDLostAtInit) { externalUserID = nil }
    if seams.has(.clearDataNamesOldInstall) { memory.data.clearedInstall = stored.externalUserID }
    if seams.has(.apiKeyRemembered) {
      fillAPIKey(with: stored.externalUserID)
      emit(.store(.user, configuration?.apiKey.map(JSON.string) ?? .null))
    }
    if seams.has(.requestUndocumentedPath), var request = outbox?.health() {
      request.request.target = request.request.target.replacing("health", with: "session")
      send(request, for: .nothing, patience: Patience.report)
    }
  }

  /// The report of the install. A defect adds the id of a cleared install.
  func installForDefects() -> OutgoingRequest? {
    guard var report = outbox?.install() else { return nil }
    if let former = memory.data.clearedInstall, var body = Octets(report.request.body).json?.object {
      body["previousInstallId"] = .string(former)
      report.request.body = JSON.object(body).compactBytes
    }
    return report
  }

  /// At the end of the app, stores the data of two defects: the user id, which an SDK must not store, and the first
  /// launch, which an SDK must store at once.
  mutating func closeForDefects() {
    if seams.has(.userIDStoredAtExit), let externalUserID { emit(.store(.user, .string(externalUserID))) }
    if seams.has(.firstLaunchStoredAtExit), isFirstLaunch != nil { emit(.store(.launch, [:])) }
  }
}

// Clearing.
extension SDKCore {
  /// If a defect or variant replaces the clearing of data, answers the call and returns true. Otherwise returns false.
  mutating func clearsForDefects(_ call: Int) -> Bool {
    if phase == .uninitialized, seams.has(.clearDataBeforeInitSilent) {
      reply(call, .success(.null))
    } else if phase == .uninitialized, seams.has(.variantClearNeedsInit) {
      fail(call, .notInitialized)
    } else if seams.has(.clearDataOnce), memory.data.isCleared {
      fail(call, SDKError(.generic, "there is nothing to clear"))
    } else {
      noteClearedData()
      return false
    }
    return true
  }

  private mutating func noteClearedData() {
    memory.data.isCleared = true
    if seams.has(.clearDataKeepsLink), let link = install?.deepLinkData { memory.data.clearedLink = link }
    if seams.has(.clearDataTellsServer) { send(outbox?.health(), for: .nothing, patience: Patience.report) }
  }

  /// Called after the data was cleared. Restores the data that a defect keeps on disk or in memory. One variant also
  /// drops the callbacks, and one defect also undoes the initialisation.
  mutating func spareForDefects(_ former: SDKCore) {
    if seams.has(.clearDataKeepsQueueFile) { emit(.store(.queue, former.queue.representation)) }
    if seams.has(.clearDataKeepsFirstLaunch) { emit(.store(.launch, [:])) }
    if seams.has(.clearDataKeepsInstallFile), let install = former.install {
      emit(.store(.install, install.representation))
    }
    if seams.has(.clearDataNamesOldInstall) || seams.has(.clearDataLeavesCopy), let install = former.install {
      emit(.store(.user, .string(install.installId)))
    }
    if seams.has(.clearDataKeepsQueue) { queue = former.queue }
    if seams.has(.clearDataKeepsInstall) { install = former.install }
    if seams.has(.userIDSurvivesClear) { externalUserID = former.externalUserID }
    if seams.has(.variantClearDropsCallbacks) { (deferred, links) = (DeferredLink(), LinkDelivery()) }
    if seams.has(.clearDataEndsInit) { (phase, configuration) = (.uninitialized, nil) }
  }

  /// Whether clearing the data cancels a request with this purpose. Such a request must be cancelled if its answer
  /// would be stored.
  func isGivenUp(_ purpose: Purpose) -> Bool {
    if seams.has(.clearDataResurrects) { return false }
    if seams.has(.clearDataRequeues), case .event = purpose { return false }
    return purpose.touchesStoredData
  }

  /// Whether an event that is tracked after clearing is lost.
  var losesEventForDefects: Bool {
    seams.has(.initEventsIgnored) || seams.has(.clearDataLosesLaterEvents) && memory.data.isCleared
  }
}

// Resetting.
extension SDKCore {
  /// Performs the actions that a defect adds to a reset.
  mutating func resetForDefects() {
    memory.data.formerConfiguration = configuration
    if seams.has(.resetTellsServer) { send(outbox?.health(), for: .nothing, patience: Patience.report) }
    if seams.has(.resetClearsData) { emit(.erase) }
    if seams.has(.resetForgetsInstall) { emit(.store(.install, .null)) }
    if seams.has(.resetEmptiesQueue) { emit(.store(.queue, [])) }
  }

  /// Copies parts of the configuration before the reset into the new one.
  mutating func reconfigureForDefects() {
    guard let former = memory.data.formerConfiguration else { return }
    if seams.has(.resetKeepsServer) { configuration?.baseURL = former.baseURL }
    if seams.has(.resetKeepsKey) { fillAPIKey(with: former.apiKey) }
  }

  /// Uses this API key if the app has not set one.
  private mutating func fillAPIKey(with key: String?) {
    if configuration?.apiKey == nil { configuration?.apiKey = key }
  }
}
