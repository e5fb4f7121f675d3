import ConformanceTranscript
import HTTPValues
import Templates

extension HTTPHeaders {
  /// The fields that every answer of an origin server has: when it was made (RFC 9110 §6.6.1), and, where a page of another
  /// origin asks, that it may read the answer (Fetch standard, CORS protocol).
  static func ofOrigin(to request: RequestRecord, at instant: Timestamp) -> HTTPHeaders {
    var fields: HTTPHeaders = ["Date": instant.httpDate]
    if request.headers["Origin"] != nil { fields["Access-Control-Allow-Origin"] = "*" }
    return fields
  }
}

extension HTTPResponse {
  /// The response with fields that it lacks.
  func adding(_ common: HTTPHeaders) -> HTTPResponse {
    var response = self
    for field in common.fields where response.headers[field.name] == nil { response.headers.fields.append(field) }
    return response
  }
}

extension WireReply {
  /// The answer to a preflight: a browser asks whether a page of another origin may send a request (Fetch standard,
  /// CORS-preflight request). The browser sends it without the SDK, so it is not evidence. nil for any other request.
  package init?(preflight request: RequestRecord, at instant: Timestamp) {
    guard request.method == "OPTIONS", request.headers["Origin"] != nil,
      let method = request.headers["Access-Control-Request-Method"]
    else { return nil }
    var answer = HTTPResponse(status: 204, headers: ["Access-Control-Allow-Methods": method, "Vary": "Origin"])
    answer.headers["Access-Control-Allow-Headers"] = request.headers["Access-Control-Request-Headers"]
    self.init(response: answer, to: request, at: instant)
    self.request = .unnoted
    response = nil
  }
}
