import ConformanceModel
import JSONKit

extension LinkFortyServer {
  /// `POST /api/sdk/v1/event`: notes what happened in an install that the server knows. A repeat is a new event.
  mutating func event(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    let body = try checkedBody(request, eventRules, failure: "Failed to track event")
    try refuseForDefects(body)
    let id = body["installId"]?.string?.lowercased() ?? ""
    guard forgives || installs.contains(id) || switches.has(.eventUnknownInstallAccepted) else {
      if switches.has(.eventUnknownInstallCrashes) { throw .failure(code: "23503", message: "Failed to track event") }
      throw .notFound("Install event not found")
    }
    if switches.has(.variantAcknowledgementEmpty) { return .json(200, [:]) }
    return .json(200, EventAcknowledgement(eventId: makeID()).representation)
  }

  /// The members of an event. Core takes timestamps only in UTC, and finds too long a name when it stores it.
  private var eventRules: [FieldRule] {
    let isSpec = !dialect.isCore
    let time: FieldRule.Kind = isSpec ? .instant : .timestamp
    var rules = [
      FieldRule("installId", .uuid, isRequired: true),
      isSpec
        ? FieldRule("eventName", .text, isRequired: true, length: 1...255)
        : FieldRule("eventName", .text, isRequired: true, column: .text(255)),
      FieldRule("eventData", .object, isRequired: switches.has(.eventNeedsData), column: isSpec ? nil : .json),
      FieldRule("timestamp", time, isRequired: switches.has(.eventNeedsTimestamp)),
      FieldRule("attributedLinkId", .uuid), FieldRule("attributedClickId", .uuid), FieldRule("sessionId", .uuid),
      FieldRule("linkOpenedAt", time), FieldRule("sdkName", .text, length: 0...50),
      FieldRule("sdkVersion", .text, length: 0...50),
    ]
    if switches.has(.eventNameOptional) { rules.removeAll { $0.name == "eventName" } }
    if switches.has(.eventDataUnchecked) { rules.removeAll { $0.name == "eventData" } }
    return rules
  }

  /// Where the defects that refuse good events are switched on.
  private func refuseForDefects(_ body: JSON.Object) throws(Refusal) {
    let data = body["eventData"]?.object
    let isNested = data?.members.contains { $0.value.object != nil || $0.value.array != nil } ?? false
    if switches.has(.eventNestedRefused), isNested { throw refusal("eventData") }
    if switches.has(.eventFractionRefused), body["timestamp"]?.string?.count != 24, body["timestamp"] != nil {
      throw refusal("timestamp")
    }
    if switches.has(.eventRevenueRefused), data?["amount"] != nil { throw refusal("eventData") }
  }

  private func refusal(_ member: String) -> Refusal {
    .invalid([FieldIssue(member: member, problem: .malformed("value"))], failure: "")
  }
}
