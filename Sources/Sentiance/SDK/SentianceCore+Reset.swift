import JSONKit

// Removal of a user. Source: User Creation on several users, the API reference on reset.
extension SentianceCore {
  /// Removes the user from the device, even before the initialisation. A creation or link in progress fails. If a reset
  /// or a legacy initialisation is in progress, this call fails and nothing is removed.
  mutating func reset(_ call: Int) {
    // The platform already knows the install of a creation in progress.
    let begun = operation?.install
    switch operation?.kind {
    case .reset: return complete(call, .reset, .failure(SentianceFailure(.resetInProgress)))
    case .initialization: return complete(call, .reset, .failure(SentianceFailure(.initInProgress)))
    case .creation: abort(.resetInProgress)
    case .linking: abort(.unexpectedError)
    case nil: break
    }
    let leaving = user.map(Operation.Install.init) ?? begun
    dismissTokenUses()
    record = SentianceRecord()
    if isLegacy { phase = .notInitialized }
    operation = Operation(.reset, call: call)
    guard let leaving else { return end(.success(.null)) }
    send(.announceReset, to: leaving.platformURL, token: leaving.token, patience: Patience.announcement)
  }

  private mutating func abort(_ reason: SentianceReason) {
    if operation?.linkerCall != nil { emit(.stopTimer(.linker)) }
    tokenUses.removeAll { $0 == .linking }
    end(.failure(SentianceFailure(reason, "the SDK was reset")))
  }
}

extension Operation.Install {
  fileprivate init(_ user: UserRecord) {
    self.init(id: user.installID, token: user.token, platformURL: user.platformURL)
  }
}
