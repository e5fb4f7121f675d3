import JSONKit

/// The notification that the SDK called one of the app's callbacks. An adapter sends no other notification.
package struct AdapterCallback: Hashable, Sendable {
  /// The method of the notification.
  package static let method = "callback"

  /// The handle that the case gave the callback.
  package var handle: String
  /// The argument of the callback; null if the SDK passes no argument.
  package var value: JSON

  package init(handle: String, value: JSON) {
    self.handle = handle
    self.value = value
  }

  /// The callback as a message.
  package var notification: RPCMessage {
    .notification(method: Self.method, params: ["handle": .string(handle), "value": value])
  }

  /// Reads the parameters of the notification.
  package init(_ params: JSONField) throws(JSONField.Problem) {
    handle = try params.required("handle").string()
    value = try params.required("value").value
  }
}
