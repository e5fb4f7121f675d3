import ConformanceModel
import JSONKit

/// What a server answers to an event.
///
/// The specification defines no model for it; this is what Core answers. An SDK takes any 2xx for success.
package struct EventAcknowledgement: Hashable, Sendable {
  package var eventId: String
  package var acknowledged: Bool
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(eventId: String, acknowledged: Bool = true, others: JSON.Object = [:]) {
    self.eventId = eventId
    self.acknowledged = acknowledged
    self.others = others
  }
}

extension EventAcknowledgement: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join([("eventId", .string(eventId)), ("acknowledged", .bool(acknowledged))], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    eventId = try field.required("eventId").string()
    acknowledged = try field.required("acknowledged").bool()
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
