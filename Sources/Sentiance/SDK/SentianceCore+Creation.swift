import JSONKit

// Creation of a user: with a code, with credentials alone, or with credentials and a linker. Source: User Creation and
// SENTUserCreationOptions.
extension SentianceCore {
  /// Initialises the SDK without creating a user. If a user exists, its configuration is refreshed.
  mutating func initialize(_ call: Int) {
    if operation?.kind == .reset { return raise(call, SentianceFailure(.resetInProgress)) }
    if phase == .initializing {
      return raise(call, SentianceFailure(.exceptionOrError, "the initialisation is running"))
    }
    if phase == .initialized, user != nil || operation?.kind == .creation {
      return raise(call, SentianceFailure(.reinitializationNotAllowed))
    }
    phase = .initialized
    isLegacy = false
    reply(call, .null)
    if user != nil { refresh(for: .nobody) }
  }

  mutating func createUser(_ call: Int, _ options: UserCreationOptions) {
    do throws(SentianceFailure) {
      try requireInitialization()
      let creation = try Creation(options)
      if let obstacle = obstacleToCreation {
        return complete(call, .creation, .failure(SentianceFailure(obstacle)))
      }
      operation = Operation(.creation, call: call, creation: creation)
      begin(creation)
    } catch {
      raise(call, error)
    }
  }

  func requireInitialization() throws(SentianceFailure) {
    guard phase == .initialized else { throw SentianceFailure(.notInitialized, "the SDK is not initialised") }
  }

  private var obstacleToCreation: SentianceReason? {
    switch operation?.kind {
    case .reset: .resetInProgress
    case .creation: .creationInProgress
    default: user == nil ? nil : .userAlreadyExists
    }
  }

  mutating func begin(_ creation: Creation) {
    let attempt = attempt(at: creation)
    send(.create(creation, attempt: attempt.id), to: creation.platformURL, token: nil)
  }

  /// The stored unfinished attempt, if it has the same key as this creation; otherwise a new attempt, which is then
  /// stored.
  private mutating func attempt(at creation: Creation) -> CreationAttempt {
    if let attempt = record.attempt, attempt.key == creation.key { return attempt }
    let attempt = CreationAttempt(id: random.uuid(), key: creation.key)
    record.attempt = attempt
    return attempt
  }

  mutating func created(_ creation: Creation, _ answer: Result<CreatedUser, SentianceFailure>) {
    switch answer {
    case .failure(let failure): fail(failure)
    case .success(let created) where creation.linker == nil:
      guard let id = created.userID else {
        return fail(SentianceFailure(.serverError, "the platform has given no user"))
      }
      operation?.install = Operation.Install(created, creation)
      settleCreation(id: id, isLinked: created.isLinked, created.configuration)
    case .success(let created):
      operation?.install = Operation.Install(created, creation)
      callLinker(with: created.installID)
    }
  }

  /// The record of a user with this id for the install of the present operation; nil if no creation is in progress.
  func newUser(id: String, isLinked: Bool, _ configuration: Configuration) -> UserRecord? {
    guard let install = operation?.install, let creation = operation?.creation else { return nil }
    return UserRecord(
      id: id, installID: install.id, token: install.token, isLinked: isLinked, isEnabled: configuration.isEnabled,
      platformURL: install.platformURL, credentials: creation.credentialsDigest)
  }

  mutating func settleCreation(id: String, isLinked: Bool, _ configuration: Configuration) {
    guard let user = newUser(id: id, isLinked: isLinked, configuration) else { return }
    record = SentianceRecord(user: user)
    succeed()
  }

  /// Ends a creation, a link or a legacy initialisation with success.
  mutating func succeed() {
    guard let user else { return }
    if operation?.kind == .initialization { endInitialization() } else { end(.success(user.told)) }
  }

  /// Ends the operation with a failure.
  mutating func fail(_ failure: SentianceFailure) {
    let isCreation = user == nil
    if isCreation, isFinal(failure) { record.attempt = nil }
    guard operation?.kind == .initialization else { return end(.failure(varied(failure))) }
    if isCreation, createsWithoutLink(failure) { return }
    failInitialization(failure)
  }

  /// Whether a creation failed because the platform or the app refused it. After any other failure, the platform may
  /// have created the user, so the attempt must be kept.
  private func isFinal(_ failure: SentianceFailure) -> Bool {
    if failure.reason == .appSideLinkingFailed { return !keepsInstall }
    return failure.refusal.map { !$0.isTemporary } ?? false
  }
}

extension Operation.Install {
  fileprivate init(_ created: CreatedUser, _ creation: Creation) {
    self.init(id: created.installID, token: created.token, platformURL: creation.platformURL)
  }
}
