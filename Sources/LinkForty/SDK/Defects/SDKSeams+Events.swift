import ConformanceModel
import JSONKit

// What the SDK says of events.
extension SDKSeams {
  func timestamp(_ now: Int, _ device: DeviceFacts) -> String {
    let minutes = has(.eventLocalTimeAsUTC) ? SDKSeams.minutesAheadOfUTC[device.timezone] ?? 0 : 0
    let text = Timestamp(milliseconds: now + minutes * 60_000).text
    if has(.variantMicroseconds) { return text.dropLast() + "000Z" }
    if has(.variantWholeSeconds) { return text.prefix(19) + "Z" }
    return text
  }

  /// Enough of the time zones for a clock that is wrong.
  private static let minutesAheadOfUTC = ["Asia/Kolkata": 330, "America/Los_Angeles": -480]

  /// The name and the data of an event as the SDK takes them from the app.
  func taken(_ name: String, _ data: JSON.Object) -> (name: String, data: JSON.Object) {
    (has(.eventNameCut) ? String(name.prefix(100)) : name, bent(data))
  }

  private func bent(_ data: JSON.Object) -> JSON.Object {
    var data = data
    if has(.eventNumbersSingle) { data = data.mapped(\.inSinglePrecision) }
    if has(.eventASCIIOnly) { data = data.mapped(\.asciiOnly) }
    return data
  }

  func acceptsName(_ name: String) -> Bool { has(.eventBlankNameSent) || name.contains { !$0.isWhitespace } }

  func bent(event body: JSON.Object) -> JSON.Object {
    var body = body
    if has(.variantEmptyDataOmitted), body["eventData"] == [:] { body["eventData"] = nil }
    if has(.variantEventStamped) { body["sessionId"] = "0d4c6a52-9f3b-4e71-8a2d-5b7c1e9f6038" }
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
    has(.eventServerFailureHidden) && (error.status ?? 0) >= 500
  }
}

// What the SDK says of revenue.
extension SDKSeams {
  /// The amount that the app wrote; nil when it is none.
  func amount(_ text: String) -> JSON? {
    guard let number = JSON.Number(lexeme: text) else { return has(.revenueNullAmount) ? .null : nil }
    return .number(number)
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
    data["currency"] = .string(currency)
    return data
  }
}

extension JSON.Object {
  fileprivate func mapped(_ change: (JSON) -> JSON) -> JSON.Object {
    JSON.Object(members.map { Member(key: $0.key, value: change($0.value)) })
  }
}

extension JSON {
  fileprivate var inSinglePrecision: JSON {
    number.flatMap { Number(Double(Float($0.double))) }.map(JSON.number) ?? self
  }

  fileprivate var asciiOnly: JSON { string.map { .string(String($0.map { $0.isASCII ? $0 : "?" })) } ?? self }
}
