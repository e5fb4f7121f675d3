import JSONKit

/// An event that the app has tracked and the server has not received yet. It does not change while it waits.
package struct PendingEvent: Hashable, Sendable {
  /// A number that identifies the event while the app runs.
  var number = 0
  package var name: String
  package var data: JSON.Object
  /// The time of the event: ISO 8601 in UTC.
  package var timestamp: String
  /// The id of the install, if the install had been reported when the event was tracked; otherwise nil.
  package var installId: String?

  package init(name: String, data: JSON.Object, timestamp: String, installId: String?) {
    self.name = name
    self.data = data
    self.timestamp = timestamp
    self.installId = installId
  }

  /// The body that reports the event. `present` is the present install id. An event that was tracked before the install
  /// was reported gets this id.
  func report(of present: String?) -> JSON.Object {
    var members: [JSON.Object.Member] = []
    if let install = installId ?? present { members.append(.init(key: "installId", value: .string(install))) }
    members += [
      .init(key: "eventName", value: .string(name)), .init(key: "eventData", value: .object(data)),
      .init(key: "timestamp", value: .string(timestamp)),
    ]
    return JSON.Object(members)
  }
}

extension PendingEvent: JSONRepresentable {
  package var representation: JSON { .object(report(of: nil)) }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("eventName").string()
    data = try field.object("eventData") ?? [:]
    timestamp = try field.required("timestamp").string()
    installId = try field.text("installId")
  }

  /// Reads the events of a stored queue.
  static func list(_ field: JSONField) throws(JSONField.Problem) -> [PendingEvent] {
    var events: [PendingEvent] = []
    for element in try field.elements() { events.append(try PendingEvent(element)) }
    return events
  }
}
