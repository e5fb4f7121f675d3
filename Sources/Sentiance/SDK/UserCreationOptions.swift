/// The options of an app for the creation of a user, as given. Source: SENTUserCreationOptions.
package struct UserCreationOptions: Hashable, Sendable {
  package var appID: String?
  package var secret: String?
  package var linker: Linker?
  package var authenticationCode: String?
  /// The URL of the platform; nil for the public one.
  package var platformURL: String?

  /// Creates a linked user through the linker, or an anonymous user without one.
  package init(appID: String?, secret: String?, linker: Linker?) {
    self.appID = appID
    self.secret = secret
    self.linker = linker
  }

  /// Creates or restores the user for whom the code was issued.
  package init(authenticationCode: String?) { self.authenticationCode = authenticationCode }
}

/// The linker of an app, by its form.
package enum Linker: String, CaseIterable, Sendable {
  /// Returns a boolean when it has the result.
  case sync
  /// Receives an object for its report.
  case async
  /// Returns a promise of a boolean.
  case promise
  /// The linker of the SDK, which does not link.
  case noOp = "no-op"

  /// Whether it has to be called.
  var links: Bool { self != .noOp }
}
