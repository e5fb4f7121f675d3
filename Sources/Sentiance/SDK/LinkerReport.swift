import JSONKit

/// The result of a linker of the app.
package enum LinkerReport: Hashable, Sendable {
  /// The linker returned a value. Only a boolean is valid.
  case returned(JSON)
  case threw

  /// Whether the linker returned true. Any other result is a failure.
  var isSuccess: Bool { self == .returned(true) }
}

/// One call of a linker, as it is reported to the app.
struct LinkerCall: Hashable, Sendable {
  /// The name of the call. The app's report of the result contains the same name.
  var name: String
  var installID: String

  var told: JSON {
    [
      "call": .string(name), "installId": .string(installID),
      "thread": .string(CallbackThread.background.rawValue),
    ]
  }
}

/// The thread on which the SDK calls code of the app. A linker is allowed to block its thread, so the SDK calls it in
/// the background. A completion must not block, so the SDK calls it on the main thread.
enum CallbackThread: String, Sendable {
  case main, background
}
