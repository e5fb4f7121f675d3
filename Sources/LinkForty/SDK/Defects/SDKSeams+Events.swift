import HTTPValues
import JSONKit
import Templates

// Content of events.
extension SDKSeams {
  func timestamp(_ now: Int) -> String {
    let text = Timestamp(milliseconds: now).text
    if has(.variantMicroseconds) { return text.dropLast() + "000Z" }
    if has(.variantWholeSeconds) { return text.prefix(19) + "Z" }
    return text
  }

  func acceptsName(_ name: String) -> Bool { has(.eventBlankNameSent) || name.contains { !$0.isWhitespace } }

  func bent(event body: JSON.Object) -> JSON.Object {
    var body = body
    if has(.variantEmptyDataOmitted), body["eventData"] == [:] { body["eventData"] = nil }
    if has(.variantEventStamped) { body["sessionId"] = "0d4c6a52-9f3b-4e71-8a2d-5b7c1e9f6038" }
    return body
  }

  /// The result of the request that reports an event. Any 2xx status is a success, even if the body is not valid.
  func eventResult(_ result: Result<HTTPResponse, SDKError>) -> Result<HTTPResponse, SDKError> {
    guard case .success(let response) = result else { return result }
    if has(.eventCreatedFails), response.status != 200 {
      return .failure(SDKError(.serverError, "HTTP \(response.status)", status: response.status))
    }
    guard has(.eventNeedsSuccessMember) else { return result }
    let isMarked = (try? JSON(parsing: response.body))?["success"] == true
    return isMarked ? result : .failure(SDKError(.decoding, "the answer has no 'success'"))
  }
}

// Content of revenue events.
extension SDKSeams {
  /// The amount as a number; nil if the text is not a number.
  func amount(_ text: String) -> JSON? {
    guard let number = JSON.Number(lexeme: text) else { return has(.revenueNullAmount) ? .null : nil }
    return .number(number)
  }

  /// The data of a revenue event.
  func revenue(_ amount: JSON, _ currency: String, _ properties: JSON.Object) -> JSON.Object {
    var data = properties
    data[has(.variantRevenueName) ? "revenue" : "amount"] = amount
    if has(.variantRevenueBothNames) { data["revenue"] = amount }
    data["currency"] = .string(currency)
    return data
  }
}
