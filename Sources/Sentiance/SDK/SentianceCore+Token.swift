import JSONKit

/// The purpose for which the SDK needs a valid token.
enum TokenUse: Hashable, Sendable {
  case app(Int)
  case linking
  case configuration(PlatformRequest.RefreshWaiter)
}

// The user's token, and the configuration that it gives access to. Source: the page on user access tokens.
extension SentianceCore {
  mutating func requestToken(_ call: Int) {
    guard let user else { return raise(call, SentianceFailure(.noUser)) }
    do throws(SentianceFailure) { try requireInitialization() } catch { return raise(call, error) }
    guard user.isEnabled else { return raise(call, SentianceFailure(.userDisabledRemotely)) }
    useToken(for: .app(call))
  }

  /// Continues `use` with a valid token of the user. An expired token is renewed first. All uses that need the token
  /// meanwhile wait for the same renewal request.
  mutating func useToken(for use: TokenUse) {
    guard let user else { return }
    if user.token.isValid(at: now) { return goOn(use, .success(user.token)) }
    tokenUses.append(use)
    if tokenUses.count == 1 { send(.renewToken, to: user.platformURL, token: user.token) }
  }

  mutating func renewed(_ answer: Result<AccessToken, SentianceFailure>) {
    let uses = tokenUses
    tokenUses = []
    let result: Result<AccessToken, SentianceFailure>
    switch answer {
    case .success(let token):
      record.user?.token = token
      result = answer
    case .failure(let failure) where failure.refusal?.isAboutDisabledInstall == true:
      record.user?.isEnabled = false
      result = .failure(SentianceFailure(.userDisabledRemotely, failure.details, refusal: failure.refusal))
    case .failure(let failure):
      result = .failure(SentianceFailure(.networkError, failure.details))
    }
    for use in uses { goOn(use, result) }
  }

  private mutating func goOn(_ use: TokenUse, _ token: Result<AccessToken, SentianceFailure>) {
    switch (use, token) {
    case (.app(let call), .success(let token)): reply(call, token.told)
    case (.app(let call), .failure(let failure)): raise(call, failure)
    case (.linking, .success(let token)): if let user { link(user, with: token) }
    case (.linking, .failure(let failure)): fail(failure)
    case (.configuration(let waiter), .success(let token)):
      if let user { send(.configuration(waiter), to: user.platformURL, token: token) }
    case (.configuration(let waiter), .failure): refreshEnded(waiter)
    }
  }

  /// Refreshes the configuration of the user. If the platform cannot be reached, the stored configuration is kept.
  mutating func refresh(for waiter: PlatformRequest.RefreshWaiter) {
    if user == nil { refreshEnded(waiter) } else { useToken(for: .configuration(waiter)) }
  }

  mutating func refreshed(
    _ waiter: PlatformRequest.RefreshWaiter, _ answer: Result<Configuration, SentianceFailure>
  ) {
    switch answer {
    case .success(let configuration):
      record.user?.isEnabled = configuration.isEnabled
      // The configuration also reveals a link whose answer was lost.
      if configuration.isLinked { record.user?.isLinked = true }
    case .failure(let failure):
      if failure.refusal?.isAboutDisabledInstall == true { record.user?.isEnabled = false }
    }
    refreshEnded(waiter)
  }

  private mutating func refreshEnded(_ waiter: PlatformRequest.RefreshWaiter) {
    switch waiter {
    case .nobody: break
    case .app(let call): reply(call, .null)
    case .initialization: linkInInitialization()
    }
  }

  /// Called when the user is removed. Ends all calls that wait for the user's token or configuration, and cancels all
  /// requests.
  mutating func dismissTokenUses() {
    let waiters = tokenUses
    let refreshes = flights.sorted { $0.key < $1.key }.map(\.value)
    tokenUses = []
    cancelFlights()
    for case .app(let call) in waiters { raise(call, SentianceFailure(.noUser, "the SDK was reset")) }
    for case .configuration(.app(let call)) in waiters { reply(call, .null) }
    for case .configuration(.app(let call)) in refreshes { reply(call, .null) }
  }
}
