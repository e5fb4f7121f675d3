/// An operation of the app that has not ended. There is at most one such operation.
struct Operation: Hashable, Sendable {
  /// The kind of operation. The raw value is the name of its command.
  enum Kind: String, Sendable {
    case creation = "createUser"
    case linking = "linkUser"
    case initialization = "legacyInit"
    case reset
  }

  /// The install that the platform created for the device. It exists even before it has a user.
  struct Install: Hashable, Sendable {
    var id: String
    var token: AccessToken
    var platformURL: String
  }

  let kind: Kind
  /// The call that is answered when the operation ends.
  let call: Int
  /// The validated options of a creation or of a legacy initialisation; nil for any other operation.
  var creation: Creation?
  /// The way to link the existing user; nil if the operation does not link one.
  var linking: SentianceCall.LinkMethod?
  var install: Install?
  /// The name of the linker's call for whose result the operation waits; nil if it does not wait for a linker.
  var linkerCall: String?

  init(_ kind: Kind, call: Int, creation: Creation? = nil, linking: SentianceCall.LinkMethod? = nil) {
    self.kind = kind
    self.call = call
    self.creation = creation
    self.linking = linking
  }
}
