import ConformanceModel
import JSONKit

// What the SDK says of events.
extension SDKSeams {
  func timestamp(_ now: Int, _ device: DeviceFacts) -> String {
    let minutes = has(.eventLocalTimeAsUTC) ? SDKSeams.minutesAheadOfUTC[device.timezone] ?? 0 : 0
    let text = Timestamp(milliseconds: now + minutes * 60_000).text
    if has(.eventLocalTime) { return text.dropLast() + "+02:00" }
    if has(.variantMicroseconds) { return text.dropLast() + "000Z" }
    if has(.variantWholeSeconds) { return text.prefix(19) + "Z" }
    return text
  }

  /// Enough of the time zones for a clock that is wrong.
  private static let minutesAheadOfUTC = ["Asia/Kolkata": 330, "America/Los_Angeles": -480]

  /// The name and the data of an event as the SDK takes them from the app.
  func taken(_ name: String, _ data: JSON.Object) -> (name: String, data: JSON.Object) {
    var name = name
    if has(.eventNameLowercased) { name = name.lowercased() }
    if has(.eventNameCut) { name = String(name.prefix(100)) }
    return (name, bent(data))
  }

  private func bent(_ data: JSON.Object) -> JSON.Object {
    var data = data
    if has(.eventNumbersAsText) { data = data.mapped(\.numberAsText) }
    if has(.eventBooleansAsNumbers) { data = data.mapped(\.booleanAsNumber) }
    if has(.eventNestedAsText) { data = data.mapped(\.nestedAsText) }
    if has(.eventNumbersSingle) { data = data.mapped(\.inSinglePrecision) }
    if has(.eventASCIIOnly) { data = data.mapped(\.asciiOnly) }
    if has(.eventEmptyTextDropped) { data = JSON.Object(data.members.filter { $0.value != "" }) }
    return data
  }

  func acceptsName(_ name: String) -> Bool { has(.eventBlankNameSent) || name.contains { !$0.isWhitespace } }

  func path(of event: TrackedEvent) -> String {
    if has(.revenueOwnEndpoint), event.eventName == "revenue" { return "/api/sdk/v1/revenue" }
    return has(.eventWrongPath) ? "/api/sdk/v1/events" : "/api/sdk/v1/event"
  }

  func bent(event body: JSON.Object, _ configuration: Configuration, user: String?) -> JSON.Object {
    var body = body
    let hasData = body["eventData"] != [:]
    if has(.eventNullData), !hasData { body["eventData"] = .null }
    if has(.variantEmptyDataOmitted), !hasData { body["eventData"] = nil }
    if has(.eventNoTimestamp) { body["timestamp"] = nil }
    if has(.eventSessionNotUUID) { body["sessionId"] = "session-7" }
    if has(.eventNullStamps) { body["attributedLinkId"] = .null }
    if has(.variantEventStamped) { body["sessionId"] = "0d4c6a52-9f3b-4e71-8a2d-5b7c1e9f6038" }
    if has(.userIDInEvents) { body["externalUserId"] = user.map(JSON.string) }
    if has(.appTokenInEvents) { body["appToken"] = configuration.appToken.map(JSON.string) }
    return body
  }

  /// What the answer to an event means: any 2xx is success, whatever the body.
  func eventResult(_ result: Result<HTTPResponse, SDKError>) -> Result<HTTPResponse, SDKError> {
    guard case .success(let response) = result else { return result }
    if has(.eventCreatedFails), response.status != 200 {
      return .failure(SDKError(.serverError, "HTTP \(response.status)", status: response.status))
    }
    guard has(.eventNeedsSuccessMember) else { return result }
    let isMarked = (try? JSON(parsing: response.body))?["success"] == true
    return isMarked ? result : .failure(SDKError(.decoding, "the answer has no 'success'"))
  }

  /// Whether the app is not told what the server said to an event.
  func hides(_ error: SDKError) -> Bool {
    has(.eventErrorSwallowed) || has(.eventServerFailureHidden) && (error.status ?? 0) >= 500
  }
}

// What the SDK says of revenue.
extension SDKSeams {
  /// The amount that the app wrote; nil when it is none.
  func amount(_ text: String) -> JSON? {
    guard let number = JSON.Number(lexeme: text) else { return has(.revenueNullAmount) ? .null : nil }
    let amount = JSON.number(number)
    if has(.revenueRounded) { return JSON.Number(number.double.rounded()).map(JSON.number) }
    if has(.revenueMinorUnits) { return JSON.Number(number.double * 100).map(JSON.number) }
    if has(.revenueSinglePrecision) { return amount.inSinglePrecision }
    if has(.revenueAmountAsText) { return amount.numberAsText }
    return amount
  }

  /// The data of a revenue event.
  func revenue(_ amount: JSON, _ currency: String, _ properties: JSON.Object) -> JSON.Object {
    var data = has(.revenuePropertiesDropped) ? [:] : properties
    if has(.revenuePropertiesNested) { data = ["properties": .object(data)] }
    if has(.revenueOneMember) {
      data["amount"] = .string("\(amount.compactText) \(currency)")
      return data
    }
    data[has(.variantRevenueName) ? "revenue" : "amount"] = amount
    if has(.variantRevenueBothNames) { data["revenue"] = amount }
    if has(.revenueZeroDropped), amount.number?.double == 0 { data["amount"] = nil }
    data["currency"] = .string(has(.revenueCurrencyUppercased) ? currency.uppercased() : currency)
    if has(.revenueWithoutCurrency) { data["currency"] = nil }
    return data
  }
}

extension JSON.Object {
  fileprivate func mapped(_ change: (JSON) -> JSON) -> JSON.Object {
    JSON.Object(members.map { Member(key: $0.key, value: change($0.value)) })
  }
}

extension JSON {
  fileprivate var numberAsText: JSON { number.map { .string($0.lexeme) } ?? self }

  fileprivate var booleanAsNumber: JSON { bool.map { $0 ? 1 : 0 } ?? self }

  fileprivate var nestedAsText: JSON { object == nil ? self : .string(compactText) }

  fileprivate var inSinglePrecision: JSON {
    number.flatMap { Number(Double(Float($0.double))) }.map(JSON.number) ?? self
  }

  fileprivate var asciiOnly: JSON { string.map { .string(String($0.map { $0.isASCII ? $0 : "?" })) } ?? self }
}
