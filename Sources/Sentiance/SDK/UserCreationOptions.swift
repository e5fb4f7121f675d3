/// The options with which an app creates a user, before the SDK validates them. Source: SENTUserCreationOptions.
package struct UserCreationOptions: Hashable, Sendable {
  package var appID: String?
  package var secret: String?
  package var linker: Linker?
  package var authenticationCode: String?
  /// The URL of the platform; nil for the public platform.
  package var platformURL: String?

  /// Options to create a user with the app's credentials. The user is linked through the linker, or anonymous if
  /// `linker` is nil.
  package init(appID: String?, secret: String?, linker: Linker?) {
    self.appID = appID
    self.secret = secret
    self.linker = linker
  }

  /// Options to create or restore the user for whom the authentication code was issued.
  package init(authenticationCode: String?) { self.authenticationCode = authenticationCode }
}

/// The form in which an app provides a linker.
package enum Linker: String, CaseIterable, Sendable {
  /// A function that blocks and returns a boolean.
  case sync
  /// A function that receives an object through which it reports the result.
  case async
  /// A function that returns a promise of a boolean.
  case promise
  /// A linker that the SDK itself provides. It does not link the user.
  case noOp = "no-op"

  /// Whether the SDK must call the linker.
  var links: Bool { self != .noOp }
}
