/// An operation that the app has started and that has not ended. At most one operation runs at a time.
struct Operation: Hashable, Sendable {
  /// The kind of operation. The raw value is the name of its command.
  enum Kind: String, Sendable {
    case creation = "createUser"
    case linking = "linkUser"
    case initialization = "legacyInit"
    case reset
  }

  /// The install that the platform created for the device. During a creation, the install can exist before its user.
  struct Install: Hashable, Sendable {
    var id: String
    var token: AccessToken
    var platformURL: String
  }

  let kind: Kind
  /// The number of the app's call that is answered when the operation ends.
  let call: Int
  /// The validated options of a creation or of a legacy initialisation; nil for any other operation.
  var creation: Creation?
  /// The way in which the operation links the existing user; nil if the operation does not link an existing user.
  var linking: SentianceCall.LinkMethod?
  var install: Install?
  /// The name of the call of a linker whose result the operation waits for; nil if it does not wait for a linker.
  var linkerCall: String?

  init(_ kind: Kind, call: Int, creation: Creation? = nil, linking: SentianceCall.LinkMethod? = nil) {
    self.kind = kind
    self.call = call
    self.creation = creation
    self.linking = linking
  }
}
