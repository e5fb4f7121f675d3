/// With what an app has its user created, as the app wrote it down. Source: SENTUserCreationOptions.
package struct UserCreationOptions: Hashable, Sendable {
  package var appID: String?
  package var secret: String?
  package var linker: Linker?
  package var authenticationCode: String?
  /// nil for the public platform.
  package var platformURL: String?

  /// Creates a linked user through the linker, or an anonymous one without.
  package init(appID: String?, secret: String?, linker: Linker?) {
    self.appID = appID
    self.secret = secret
    self.linker = linker
  }

  /// Creates or restores the user that the code was issued for.
  package init(authenticationCode: String?) { self.authenticationCode = authenticationCode }
}

/// What an app has its installs linked with, by the form that it has in the app.
package enum Linker: String, CaseIterable, Sendable {
  /// Returns a boolean once it is known.
  case sync
  /// Is given something to report to.
  case async
  /// Returns a promise of a boolean.
  case promise
  /// The SDK's own, which does not link.
  case noOp = "no-op"

  /// Whether it has to be asked.
  var links: Bool { self != .noOp }
}
