import HTTPValues

extension LinkFortyServer {
  /// `POST /api/sdk/v1/install`: gives the install an id and looks for the click that led to it. Every report creates a
  /// new install.
  mutating func install(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    let body = try checkedBody(request, installRules, failure: "Failed to record install event")
    if switches.has(.installScreenInPairs), (body["screenWidth"] == nil) != (body["screenHeight"] == nil) {
      throw .invalid([FieldIssue(member: "screenWidth", problem: .malformed("pair of sizes"))], failure: "")
    }
    let response = attribute(body, request)
    installs.insert(response.installId.lowercased())
    var answer = response.representation(in: dialect).object ?? [:]
    if dialect.isCore, let address = body["ipAddress"] { answer["clientReportedIp"] = address }
    if switches.has(.variantOrganicDataAbsent), !response.attributed { answer["deepLinkData"] = nil }
    return .json(200, .object(answer))
  }

  /// The constraints on the body that reports an install.
  private var installRules: [FieldRule] {
    let rules = dialect.isCore ? Self.shippedRules : Self.documentedRules
    return switches.has(.installTypesUnchecked) ? rules.filter(\.isRequired) : rules
  }

  /// The constraints of Core. Most of them are limits of its database, so Core rejects such a value only when it stores
  /// the value.
  private static let shippedRules = [
    FieldRule("userAgent", .text, isRequired: true, column: .text(.max)),
    FieldRule("timezone", .text, column: .text(100)), FieldRule("language", .text, column: .text(10)),
    FieldRule("screenWidth", .number, column: .integer), FieldRule("screenHeight", .number, column: .integer),
    FieldRule("platform", .text, column: .text(50)), FieldRule("platformVersion", .text, column: .text(50)),
    FieldRule("deviceId", .text, column: .text(255)),
    FieldRule("attributionWindowHours", .number, column: .integer),
    FieldRule("sdkName", .text, length: 0...50), FieldRule("sdkVersion", .text, length: 0...50),
    FieldRule("appToken", .text), FieldRule("ipAddress", .text),
  ]

  private static let documentedRules = [
    FieldRule("userAgent", .text, isRequired: true), FieldRule("timezone", .text, length: 0...100),
    FieldRule("language", .text, length: 0...35), FieldRule("screenWidth", .number),
    FieldRule("screenHeight", .number), FieldRule("platform", .text, length: 0...50),
    FieldRule("platformVersion", .text, length: 0...50), FieldRule("appVersion", .text, length: 0...50),
    FieldRule("deviceId", .text, length: 0...255),
    FieldRule("attributionWindowHours", .integer, range: 1...2160),
    FieldRule("sdkName", .text, length: 0...50), FieldRule("sdkVersion", .text, length: 0...50),
    FieldRule("appToken", .text),
  ]
}
