import ConformanceModel
import JSONKit

/// Where the defects of the install endpoint are switched on; without one everything passes through unchanged.
extension LinkFortyServer {
  func bent(_ rules: [FieldRule]) -> [FieldRule] {
    var rules = rules
    if switches.has(.installUserAgentOptional) { rules.removeFirst() }
    if switches.has(.installTypesUnchecked) { rules = rules.filter(\.isRequired).map { FieldRule($0.name, .text) } }
    if switches.has(.installAppVersionRefused) { rules.append(FieldRule("appVersion", .integer)) }
    if switches.has(.installAppTokenChecked) { rules.append(FieldRule("appToken", .text, length: 35...35)) }
    return rules
  }

  func limited(_ request: HTTPRequest) throws(Refusal) -> HTTPRequest {
    let crashes =
      switches.has(.installUserAgentMissingCrashes) && Octets(request.body).json?["userAgent"] == nil
      || switches.has(.installLongTextCrashes) && Octets(request.body).hasLongText
      || switches.has(.installFractionCrashes) && Octets(request.body).hasFraction
    if crashes { throw .failure(code: "22P02", message: "The database refused the row") }
    if switches.has(.installBodyUnlimited), request.body.count > RequestBody.limit {
      return HTTPRequest(
        method: request.method, target: request.target, headers: ["Content-Type": "application/json"],
        body: Array("{\"userAgent\":\"\"}".utf8))
    }
    return request
  }

  func refuseUnknownMembers(_ body: JSON.Object) throws(Refusal) {
    guard switches.has(.installUnknownMemberRefused) else { return }
    let known = Set(DeviceFingerprint(userAgent: "").memberNames + ["appToken", "sdkName", "sdkVersion", "ipAddress"])
    guard let stranger = body.keys.first(where: { !known.contains($0) }) else { return }
    throw .invalid([FieldIssue(member: stranger, problem: .malformed("member"))], failure: "")
  }

  func bent(_ answer: JSON.Object) -> JSON.Object {
    var answer = answer
    if switches.has(.attributionLegacyNames), let data = answer["deepLinkData"], data["shortCode"] != nil {
      answer["deepLinkData"] = (try? DeepLinkData(JSONField(data)))?.legacyRepresentation(
        confidenceScore: answer["confidenceScore"]?.int ?? 0, matchedFactors: [])
    }
    if switches.has(.variantOrganicDataAbsent), answer["attributed"] == false { answer["deepLinkData"] = nil }
    return answer
  }
}

extension Octets {
  fileprivate var hasLongText: Bool { json?.object?.members.contains { ($0.value.string?.count ?? 0) > 50 } ?? false }
  fileprivate var hasFraction: Bool {
    json?.object?.members.contains { $0.value.number.map { !$0.isInteger } ?? false } ?? false
  }
}

extension DeviceFingerprint {
  /// The names of the model's members.
  fileprivate var memberNames: [String] {
    [
      "userAgent", "timezone", "language", "screenWidth", "screenHeight", "platform", "platformVersion", "appVersion",
      "deviceId", "attributionWindowHours",
    ]
  }
}
