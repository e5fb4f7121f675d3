import JSONKit

/// A call that the app makes to the SDK.
package enum SentianceCall: Hashable, Sendable {
  /// Registers a callback that gets each call of a linker.
  case observeLinkers(handle: String)
  /// Registers a callback that gets each completion.
  case observeCompletions(handle: String)
  case initialize
  /// Initialises the SDK as in older versions. This legacy initialisation also creates the user.
  case initializeWithUser(UserCreationOptions)
  case createUser(UserCreationOptions)
  case linkUser(LinkMethod)
  /// The result of a linker; `call` is the name of the linker's call.
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

  /// The way to link a user that was created without a link.
  package enum LinkMethod: Hashable, Sendable {
    case linker(Linker?)
    case code(String)
  }
}
