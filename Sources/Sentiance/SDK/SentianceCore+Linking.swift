import JSONKit

// Linking of an install through the app, and of an anonymous user later. Source: SENTUserCreationOptions, the API
// reference on linkUser.
extension SentianceCore {
  mutating func linkUser(_ call: Int, _ method: SentianceCall.LinkMethod) {
    do throws(SentianceFailure) {
      try requireInitialization()
      try check(method)
    } catch {
      return raise(call, error)
    }
    if let obstacle = obstacleToLinking { return complete(call, .linking, .failure(obstacle)) }
    operation = Operation(.linking, call: call, linking: method)
    useToken(for: .linking)
  }

  private func check(_ method: SentianceCall.LinkMethod) throws(SentianceFailure) {
    switch method {
    case .code(let code): _ = try Creation.text(code, "the authentication code")
    case .linker(let linker):
      guard linker?.links == true else { throw SentianceFailure(.invalidArgument, "there is no linker") }
    }
  }

  private var obstacleToLinking: SentianceFailure? {
    if operation?.kind == .reset { return SentianceFailure(.unexpectedError, "a reset is running") }
    guard let user else { return SentianceFailure(.noUser) }
    if !user.isEnabled { return SentianceFailure(.userDisabledRemotely) }
    if user.isLinked { return SentianceFailure(.userAlreadyLinked) }
    return operation == nil ? nil : SentianceFailure(.unexpectedError, "the user is being linked")
  }

  /// Links the existing user. `token` is a valid token of this user.
  mutating func link(_ user: UserRecord, with token: AccessToken) {
    operation?.install = Operation.Install(id: user.installID, token: token, platformURL: user.platformURL)
    switch operation?.linking {
    case .code(let code): send(.redeem(code: code), to: user.platformURL, token: token)
    default: callLinker(with: user.installID)
    }
  }

  /// Handles the report of a linker about its call `name`. If the operation does not wait for this report, it is
  /// ignored, for example if it is the second report about the same call.
  mutating func linkerReported(_ name: String, _ report: LinkerReport) {
    guard operation?.linkerCall == name, let install = operation?.install else { return }
    operation?.linkerCall = nil
    emit(.stopTimer(.linker))
    guard report.isSuccess else {
      return fail(SentianceFailure(.appSideLinkingFailed, "the linker has reported no success"))
    }
    // The app's report counts only if the platform confirms the link.
    send(.confirm, to: install.platformURL, token: install.token)
  }

  mutating func linkerWasSilent() {
    guard operation?.linkerCall != nil else { return }
    operation?.linkerCall = nil
    fail(SentianceFailure(.appSideLinkingFailed, "the linker has reported nothing in time"))
  }

  mutating func confirmed(_ answer: Result<Person, SentianceFailure>) {
    switch answer {
    case .success(let person) where person.isLinked:
      guard user == nil else { return settleLinking(person) }
      settleCreation(id: person.id, isLinked: true, person.configuration)
    case .success: failLinking(SentianceFailure(.appSideLinkingFailed, "the platform knows of no link"))
    case .failure(var failure):
      if failure.refusal?.status == 404 { failure.reason = .appSideLinkingFailed }
      failLinking(failure)
    }
  }

  mutating func redeemed(_ answer: Result<Person, SentianceFailure>) {
    switch answer {
    case .success(let person) where person.isLinked: settleLinking(person)
    case .success: fail(SentianceFailure(.serverError, "the platform has not linked the user"))
    case .failure(let failure): failLinking(failure)
    }
  }

  /// Stores the result of linking the existing user. Linking never changes the id of a user, so a different id is an
  /// error.
  private mutating func settleLinking(_ person: Person) {
    guard person.id == user?.id else {
      return fail(SentianceFailure(.serverError, "the platform speaks of another user"))
    }
    record.user?.isLinked = true
    record.user?.isEnabled = person.configuration.isEnabled
    succeed()
  }

  private mutating func failLinking(_ failure: SentianceFailure) {
    var failure = failure
    if user != nil, failure.refusal?.isAboutDisabledInstall == true {
      record.user?.isEnabled = false
      failure.reason = .userDisabledRemotely
    }
    fail(failure)
  }
}
