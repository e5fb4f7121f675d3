import ConformanceModel
import JSONKit

/// An event as an app reports it: which install, what happened, when.
///
/// Source: section 5 of the specification. The timestamp is ISO 8601 in UTC and keeps the spelling it came in.
package struct TrackedEvent: Hashable, Sendable {
  package var installId: String
  package var eventName: String
  package var eventData: JSON.Object?
  package var timestamp: String?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    installId: String, eventName: String, eventData: JSON.Object? = nil, timestamp: String? = nil,
    others: JSON.Object = [:]
  ) {
    self.installId = installId
    self.eventName = eventName
    self.eventData = eventData
    self.timestamp = timestamp
    self.others = others
  }
}

extension TrackedEvent: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("installId", .string(installId)), ("eventName", .string(eventName)),
        ("eventData", eventData.map(JSON.object)), ("timestamp", timestamp.map(JSON.string)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    installId = try field.required("installId").string()
    eventName = try field.required("eventName").string()
    eventData = try field.object("eventData")
    timestamp = try field.text("timestamp")
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
