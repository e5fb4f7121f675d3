import HTTPValues
import JSONKit

extension LinkFortyServer {
  /// `POST /api/sdk/v1/event`: records an event of an install that the server knows. A repeated request is a new event.
  mutating func event(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    let body = try checkedBody(request, eventRules, failure: "Failed to track event")
    if switches.has(.eventKeyChecked), request.headers["Authorization"] != nil { try authorize(request) }
    if switches.has(.eventFewMembers), (body["eventData"]?.object?.members.count ?? 0) > 20 {
      throw .invalid([FieldIssue(member: "eventData", problem: .malformed("short object"))], failure: "")
    }
    let id = body["installId"]?.string?.lowercased() ?? ""
    guard isLenient || installs.contains(id) else { throw .notFound("Install event not found") }
    if switches.has(.variantAcknowledgementEmpty) { return .json(200, [:]) }
    return .json(200, ["eventId": .string(makeID()), "acknowledged": true])
  }

  /// The constraints on the body that reports an event. Core accepts timestamps in UTC only. If a name is too long,
  /// Core rejects it only when it stores the event.
  private var eventRules: [FieldRule] {
    let isSpec = !dialect.isCore
    let time: FieldRule.Kind = isSpec ? .instant : .timestamp
    return [
      FieldRule("installId", .uuid, isRequired: true),
      isSpec
        ? FieldRule("eventName", .text, isRequired: true, length: 1...255)
        : FieldRule("eventName", .text, isRequired: true, column: .text(255)),
      FieldRule("eventData", .object, column: isSpec ? nil : .json),
      FieldRule("timestamp", time), FieldRule("attributedLinkId", .uuid), FieldRule("attributedClickId", .uuid),
      FieldRule("sessionId", .uuid), FieldRule("linkOpenedAt", time), FieldRule("sdkName", .text, length: 0...50),
      FieldRule("sdkVersion", .text, length: 0...50),
    ]
  }
}
