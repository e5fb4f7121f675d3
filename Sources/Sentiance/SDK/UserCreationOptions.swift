/// The options of an app for the creation of a user, before validation. Source: SENTUserCreationOptions.
package struct UserCreationOptions: Hashable, Sendable {
  package var appID: String?
  package var secret: String?
  package var linker: Linker?
  package var authenticationCode: String?
  /// The URL of the platform; nil for the public platform.
  package var platformURL: String?

  /// The options to create a linked user through the linker. If `linker` is nil, the user is anonymous.
  package init(appID: String?, secret: String?, linker: Linker?) {
    self.appID = appID
    self.secret = secret
    self.linker = linker
  }

  /// The options to create or restore the user for whom the code was issued.
  package init(authenticationCode: String?) { self.authenticationCode = authenticationCode }
}

/// The form of an app's linker.
package enum Linker: String, CaseIterable, Sendable {
  /// A function that blocks and returns a boolean.
  case sync
  /// A function that receives an object through which it reports the result.
  case async
  /// A function that returns a promise of a boolean.
  case promise
  /// A linker that the SDK itself provides, and that does not link.
  case noOp = "no-op"

  /// Whether the SDK must call the linker.
  var links: Bool { self != .noOp }
}
