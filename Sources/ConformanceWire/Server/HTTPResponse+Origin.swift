import ConformanceTranscript
import HTTPValues
import Templates

extension HTTPHeaders {
  /// The fields that every answer of an origin server has: its date (RFC 9110 §6.6.1) and, if a page of another origin
  /// sent the request, the permission to read the answer and all its fields (Fetch standard, CORS protocol).
  static func ofOrigin(to request: RequestRecord, at instant: Timestamp) -> HTTPHeaders {
    request.headers["Origin"] == nil ? ["Date": instant.httpDate] : ofOrigin(at: instant)
  }

  /// The fields of an answer to bytes that are not a request. A page of another origin may have sent such bytes, so
  /// these fields always permit the page to read the answer.
  static func ofOrigin(at instant: Timestamp) -> HTTPHeaders {
    ["Date": instant.httpDate, "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*"]
  }
}

extension HTTPResponse {
  /// The response, to which each given field is added unless the response already has it.
  func adding(_ common: HTTPHeaders) -> HTTPResponse {
    var response = self
    for field in common.fields where response.headers[field.name] == nil { response.headers.fields.append(field) }
    return response
  }

  /// The answer to bytes that are not a request.
  static func refusal(of problem: HTTPProblem, status: Int = 400) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array((problem.text + "\n").utf8))
  }
}

extension WireReply {
  /// The answer to bytes that are not a request and that came after `request` on the same connection. The connection
  /// ends.
  package init(refusing problem: HTTPProblem, _ octets: [UInt8], to request: RequestRecord, at instant: Timestamp) {
    var closing = request
    closing.headers["Connection"] = "close"
    self.init(response: .refusal(of: problem), to: closing, at: instant)
    self.request = .malformed(problem.text, Octets(octets))
  }

  /// The answer to a preflight, with which a browser asks whether a page of another origin may send a request (Fetch
  /// standard, CORS-preflight request). The browser sends the preflight on its own, so a preflight is not evidence
  /// about the SDK. nil if the request is not a preflight.
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
