/// What an app has asked for and has not heard the end of. There is one at a time.
struct Operation: Hashable, Sendable {
  /// Each by the name of its command.
  enum Kind: String, Sendable {
    case creation = "createUser"
    case linking = "linkUser"
    case initialization = "legacyInit"
    case reset
  }

  /// What the platform has given a device before it is known to have a user, or has given its user.
  struct Install: Hashable, Sendable {
    var id: String
    var token: AccessToken
    var platformURL: String
  }

  let kind: Kind
  /// The call that is answered at its end.
  let call: Int
  /// What is created, where something is.
  var creation: Creation?
  /// How the user that is there gets linked, where it does.
  var linking: SentianceCall.LinkMethod?
  var install: Install?
  /// The linker that is waited for.
  var linkerCall: String?

  init(_ kind: Kind, call: Int, creation: Creation? = nil, linking: SentianceCall.LinkMethod? = nil) {
    self.kind = kind
    self.call = call
    self.creation = creation
    self.linking = linking
  }
}
