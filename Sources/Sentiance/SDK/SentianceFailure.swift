/// The reason why a call of the SDK fails. The raw values are the names of the reasons in Sentiance's SDK for Android.
package enum SentianceReason: String, CaseIterable, Sendable {
  // Reasons of invalid calls. These reasons are thrown, without a completion.
  case notInitialized = "NOT_INITIALIZED"
  case invalidArgument = "INVALID_ARGUMENT"
  // Reasons of a creation.
  case resetInProgress = "SDK_RESET_IN_PROGRESS"
  case creationInProgress = "USER_CREATION_IN_PROGRESS"
  case userAlreadyExists = "USER_ALREADY_EXISTS"
  case networkError = "NETWORK_ERROR"
  case serverError = "SERVER_ERROR"
  case unexpectedError = "UNEXPECTED_ERROR"
  case appSideLinkingFailed = "APP_SIDE_LINKING_FAILED"
  // Further reasons of linking and of tokens.
  case noUser = "NO_USER"
  case userAlreadyLinked = "USER_ALREADY_LINKED"
  case userDisabledRemotely = "USER_DISABLED_REMOTELY"
  // Reasons of an initialisation.
  case reinitializationNotAllowed = "REINITIALIZATION_NOT_ALLOWED"
  case exceptionOrError = "EXCEPTION_OR_ERROR"
  // Reasons of a legacy initialisation.
  case invalidCredentials = "INVALID_CREDENTIALS"
  case changedCredentials = "CHANGED_CREDENTIALS"
  case serviceUnreachable = "SERVICE_UNREACHABLE"
  case linkFailed = "LINK_FAILED"
  case remoteDisabled = "REMOTE_DISABLED"
  case initializationError = "INITIALIZATION_ERROR"
  // The reason of a reset.
  case initInProgress = "SDK_INIT_IN_PROGRESS"
}

/// The error of a failed call. It consists of a reason, which the app can compare, and details as a text for the
/// developer.
package struct SentianceFailure: Error, Hashable, Sendable {
  package var reason: SentianceReason
  package var details: String
  /// The refusing answer of the platform because of which the call failed; nil if it failed for any other reason.
  package var refusal: PlatformRefusal?

  package init(_ reason: SentianceReason, _ details: String = "", refusal: PlatformRefusal? = nil) {
    self.reason = reason
    self.details = details
    self.refusal = refusal
  }
}

/// An answer of the platform that refuses a request.
package struct PlatformRefusal: Hashable, Sendable {
  package var status: Int
  /// The platform's code for the reason of the refusal.
  package var code: String?
  package var message: String?

  /// True if the same request can succeed later.
  var isTemporary: Bool { status >= 500 || status == 429 }

  /// Whether the refusal says that the install was deactivated, disabled or deleted. Source: the error codes of user
  /// linking.
  var isAboutDisabledInstall: Bool {
    status == 403 && ["INSTALL_DEACTIVATED", "INSTALL_DISABLED", "INSTALL_DELETED"].contains(code)
  }

  var details: String { "\(code ?? "no error code"): \(message ?? "") (HTTP \(status))" }
}
