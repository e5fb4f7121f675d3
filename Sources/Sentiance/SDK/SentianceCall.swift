import JSONKit

/// What an app asks of the SDK.
package enum SentianceCall: Hashable, Sendable {
  /// Has each call of a linker of the app told to this handle.
  case observeLinkers(handle: String)
  /// Has each completion told to this handle.
  case observeCompletions(handle: String)
  case initialize
  /// Initialises the SDK as older versions were, which creates the user along with it.
  case initializeWithUser(UserCreationOptions)
  case createUser(UserCreationOptions)
  case linkUser(LinkMethod)
  /// What a linker came to; `call` is the name that it was called under.
  case reportLinker(call: String, LinkerReport)
  case userExists
  case isUserLinked
  case userID
  case initState
  case isEnabled
  case requestToken
  case refresh
  case reset
  /// What surrounds the app has changed.
  case surround(JSON.Object)

  /// How an anonymous user is linked later.
  package enum LinkMethod: Hashable, Sendable {
    case linker(Linker?)
    case code(String)
  }
}
