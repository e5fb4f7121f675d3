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
