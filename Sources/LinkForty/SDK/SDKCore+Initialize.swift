import HTTPValues
import JSONKit
import LinkFortyModel
import Templates

// Feature 1, initialisation, and feature 2, the report of the install.
extension SDKCore {
  /// Validates the configuration before anything else happens. A rejected configuration has no effect.
  mutating func initialize(_ call: Int, _ request: ConfigurationRequest) {
    guard phase == .uninitialized else { return initializeAgain(call, request) }
    do throws(SDKError) {
      configuration = try Configuration(request, rules: seams.configurationRules)
      reconfigureForDefects()
      phase = .starting(call: call)
      emit(.load)
    } catch {
      rejectForDefects(request)
      fail(call, error)
    }
  }

  /// Rejects a second call of `initialize`, even while the first call is still open. The first configuration applies
  /// until a reset.
  private mutating func initializeAgain(_ call: Int, _ request: ConfigurationRequest) {
    if initializesAgainForDefects(call, request) { return }
    fail(call, SDKError(.alreadyInitialized, "call reset before another initialize"))
  }

  /// Continues initialisation with the stored data of earlier launches. If no earlier launch could report the install,
  /// the SDK reports it now.
  mutating func launch(with stored: StoredState) {
    guard case .starting = phase, !refusesForDefects(stored) else { return }
    for file in stored.unreadable { log("\(file.rawValue) cannot be read and is ignored") }
    queue = seams.queue(seams.unexpired(stored.queue, now))
    noteLaunch(stored)
    openInitialURL()
    if launchesForDefects(stored) { return }
    if let install = stored.install {
      finishLaunch(with: install, isNew: false)
    } else {
      reportInstall()
    }
  }

  private mutating func noteLaunch(_ stored: StoredState) {
    if !stored.hasLaunched {
      isFirstLaunch = true
      let launch: JSON = ["launchedAt": .string(Timestamp(milliseconds: now).text)]
      if !seams.has(.firstLaunchStoredAtExit) { emit(.store(.launch, launch)) }
    }
    isFirstLaunch = isFirstLaunch ?? false
    recallForDefects(stored)
  }

  mutating func reportInstall() {
    let patience = seams.has(.initHangsWithServer) ? nil : Patience.report
    send(installForDefects(), for: .install, patience: patience)
  }

  /// Handles the result of the report of the install. If the report failed for any reason, the install counts as
  /// organic, and the next launch reports the install again.
  mutating func installReported(_ result: Result<HTTPResponse, SDKError>) {
    if failsLaunchForDefects(result) { return }
    let body = try? result.get().body
    let response = body.flatMap { seams.readInstall($0) }
    if let response {
      emit(.store(.install, seams.stored(response)))
    } else {
      log("the install could not be reported")
    }
    finishLaunch(with: response, isNew: true, body: body)
  }

  /// Reports the result of the install to the app, and sends the events of earlier launches.
  mutating func finishLaunch(with response: InstallResponse?, isNew: Bool, body: [UInt8]? = nil) {
    guard case .starting(let call) = phase else { return }
    phase = .ready
    install = seams.kept(response)
    if seams.delivers(response, isNew: isNew, body: body) { settleDeferred(response?.deepLinkData) }
    reply(call, .success(InstallResponse.report(of: response)))
    flushQueue(on: .launch)
  }
}

// Feature 2, the deferred callback.
extension SDKCore {
  mutating func registerDeferred(_ call: Int, _ handle: String) {
    reply(call, .success(.null))
    if seams.has(.deferredEarlyLost), phase == .uninitialized { return }
    guard let value = deferred.register(handle), seams.deliversLate(value) else { return }
    callDeferred(handle, value)
  }

  private mutating func settleDeferred(_ data: DeepLinkData?) {
    for handle in deferred.settle(data) { callDeferred(handle, data?.representation ?? .null) }
  }

  private mutating func callDeferred(_ handle: String, _ value: JSON) {
    emit(.callback(handle: handle, value))
  }
}

extension InstallResponse {
  /// Reads the answer to the report of the install. Leaves out unknown members, and the link of an install that is not
  /// attributed. Returns nil if the answer is not valid.
  static func read(_ body: [UInt8]) -> InstallResponse? {
    guard let json = try? JSON(parsing: body), var response = try? InstallResponse(JSONField(json)) else { return nil }
    response.members = response.members.only(InstallResponse.names)
    response.deepLinkData = response.attributed ? response.deepLinkData?.canonical : nil
    return response
  }

  /// The result that the call `initialize` returns to the app. `response` is nil if the install could not be reported.
  static func report(of response: InstallResponse?) -> JSON {
    [
      "installId": response?.members["installId"] ?? .null, "attributed": .bool(response?.attributed ?? false),
      "confidenceScore": response?.members["confidenceScore"] ?? 0,
      "matchedFactors": response?.members["matchedFactors"] ?? [],
      "deepLinkData": response?.members["deepLinkData"] ?? .null,
    ]
  }
}
