import JSONKit

// The initialisation of older SDKs, which also creates the user. Source: User linking, its appendix for the SDK and its
// flow chart.
extension SentianceCore {
  mutating func initialize(_ call: Int, with options: UserCreationOptions) {
    switch operation?.kind {
    case .reset: return complete(call, .initialization, .failure(SentianceFailure(.resetInProgress)))
    case nil: break
    default:
      return complete(
        call, .initialization, .failure(SentianceFailure(.initializationError, "something else is running")))
    }
    if isLegacy, phase == .initialized { return complete(call, .initialization, .success(.null)) }
    phase = .initializing
    isLegacy = true
    operation = Operation(.initialization, call: call)
    do throws(SentianceFailure) {
      haveUser(try Creation(options))
    } catch {
      failInitialization(SentianceFailure(.invalidCredentials, error.details))
    }
  }

  private mutating func haveUser(_ creation: Creation) {
    operation?.creation = creation
    guard let user else { return begin(creation) }
    guard user.credentials == nil || user.credentials == creation.credentialsDigest else {
      return failInitialization(SentianceFailure(.changedCredentials, "the user was created with others"))
    }
    refresh(for: .initialization)
  }

  /// Links the existing user if it is not linked yet, and then ends the initialisation. A user is not linked if the app
  /// switched linking on after the creation, or if linking failed before.
  mutating func linkInInitialization() {
    guard let user, user.isEnabled, !user.isLinked, let linker = operation?.creation?.linker else {
      return endInitialization()
    }
    operation?.linking = .linker(linker)
    useToken(for: .linking)
  }

  /// Begins the creation again without a linker, if the platform reports that linking is off for the app. Returns
  /// whether it did.
  mutating func createsWithoutLink(_ failure: SentianceFailure) -> Bool {
    guard failure.refusal?.code == "USERLINKING_NOT_CONFIGURED", var creation = operation?.creation,
      creation.linker != nil
    else { return false }
    creation.linker = nil
    operation?.creation = creation
    begin(creation)
    return true
  }

  mutating func endInitialization() {
    guard user?.isEnabled == true else { return failInitialization(SentianceFailure(.remoteDisabled)) }
    phase = .initialized
    end(.success(.null))
  }

  mutating func failInitialization(_ failure: SentianceFailure) {
    phase = .notInitialized
    end(.failure(SentianceFailure(failure.initIssue, failure.details)))
  }
}

extension SentianceFailure {
  /// The issue that a legacy initialisation reports if it fails for this reason. Source: InitIssue.
  fileprivate var initIssue: SentianceReason {
    switch reason {
    case .invalidCredentials, .changedCredentials, .remoteDisabled: reason
    case .userDisabledRemotely: .remoteDisabled
    case .appSideLinkingFailed: .linkFailed
    case .networkError: .serviceUnreachable
    default:
      switch refusal {
      case .some(let refusal) where refusal.isTemporary: .serviceUnreachable
      case .some(let refusal) where refusal.status == 401: .invalidCredentials
      default: .initializationError
      }
    }
  }
}
