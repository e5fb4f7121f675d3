import JSONKit

/// An event, with its data at the time at which it happened. Source: step B6 of the workflow.
package struct TrackedEvent: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case custom
    /// An event of the SDK itself, such as `app:start`.
    case `internal`
  }

  var kind: Kind
  var name: String
  /// The time of the event: ISO 8601 in UTC with milliseconds.
  var timestamp: String
  var attributes: JSON.Object?
  /// The session in which the event happened; nil in the background.
  var sessionID: String?
}

extension TrackedEvent: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("type", .string(kind.rawValue)), ("name", .string(name)), ("timestamp", .string(timestamp)),
      ("attributes", attributes.map(JSON.object)), ("sessionId", sessionID.map(JSON.string)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("type").word(Kind.self)
    name = try field.required("name").string()
    timestamp = try field.required("timestamp").string()
    attributes = field.optional("attributes")?.value.object
    sessionID = try field.optional("sessionId")?.string()
  }
}
