import JSONKit

/// A call that the app makes to the SDK.
package enum SentianceCall: Hashable, Sendable {
  /// Registers a callback that receives each call that the SDK makes to a linker.
  case observeLinkers(handle: String)
  /// Registers a callback that receives each call of a completion.
  case observeCompletions(handle: String)
  case initialize
  /// Initialises the SDK as in older versions. This legacy initialisation also creates the user.
  case initializeWithUser(UserCreationOptions)
  case createUser(UserCreationOptions)
  case linkUser(LinkMethod)
  /// The app reports the result of a linker. `call` is the name of the ``LinkerCall``.
  case reportLinker(call: String, LinkerReport)
  case userExists
  case isUserLinked
  case userID
  case initState
  case isEnabled
  case requestToken
  case refresh
  case reset
  /// The surroundings of the app have changed.
  case surround(JSON.Object)

  /// The way in which the app links a user that it created without a link.
  package enum LinkMethod: Hashable, Sendable {
    case linker(Linker?)
    case code(String)
  }
}
