import JSONKit

/// What a linker of the app came to.
package enum LinkerReport: Hashable, Sendable {
  /// A value, where a boolean is wanted.
  case returned(JSON)
  case threw

  /// Nothing but true is success.
  var isSuccess: Bool { self == .returned(true) }
}

/// One call of a linker, as the app gets it.
struct LinkerCall: Hashable, Sendable {
  /// Which call it is; the report names it.
  var name: String
  var installID: String

  var told: JSON {
    [
      "call": .string(name), "installId": .string(installID),
      "thread": .string(CallbackThread.background.rawValue),
    ]
  }
}

/// The thread on which the SDK has the app's code called. A linker may block, a completion must not.
enum CallbackThread: String, Sendable {
  case main, background
}
