import JSONKit

/// The result of a linker of the app.
package enum LinkerReport: Hashable, Sendable {
  /// A value; only a boolean is valid.
  case returned(JSON)
  case threw

  /// Whether the value is true. Any other value is a failure.
  var isSuccess: Bool { self == .returned(true) }
}

/// One call of a linker, in the form for the app.
struct LinkerCall: Hashable, Sendable {
  /// The name of the call; the report repeats it.
  var name: String
  var installID: String

  var told: JSON {
    [
      "call": .string(name), "installId": .string(installID),
      "thread": .string(CallbackThread.background.rawValue),
    ]
  }
}

/// The thread on which the SDK calls code of the app. A linker may block, a completion must not.
enum CallbackThread: String, Sendable {
  case main, background
}
