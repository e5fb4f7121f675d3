import ConformanceModel

/// An event as an app reports it: which install, what happened, when.
///
/// Source: section 5 of the specification. The timestamp is ISO 8601 in UTC and keeps the spelling it came in.
public struct TrackedEvent: Hashable, Sendable {
  public var installId: String
  public var eventName: String
  public var eventData: JSON.Object?
  public var timestamp: String?
  /// Members that the model does not name.
  public var others: JSON.Object

  public init(
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
  public var representation: JSON {
    OpenMembers.join(
      [
        ("installId", .string(installId)), ("eventName", .string(eventName)),
        ("eventData", eventData.map(JSON.object)), ("timestamp", timestamp.map(JSON.string)),
      ], others)
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    installId = try field.required("installId").string()
    eventName = try field.required("eventName").string()
    eventData = try field.object("eventData")
    timestamp = try field.text("timestamp")
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
