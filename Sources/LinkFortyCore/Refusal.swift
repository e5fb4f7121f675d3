import HTTPValues
import JSONKit
import LinkFortyModel

/// The reason why the server refuses a request.
package enum Refusal: Error, Hashable, Sendable {
  /// No route has this method and path.
  case noRoute
  /// The body is not JSON.
  case malformed(String)
  case emptyBody
  case mediaType(String)
  case tooLarge
  /// The members of the body are invalid. `failure` is Core's message if Core's database rejects the members.
  case invalid([FieldIssue], failure: String)
  case notFound(String)
  case unauthorized(String)
  case conflict(String)
  /// An error that a handler of Core throws and does not catch.
  case thrown(String)
  /// An internal failure, with the error code of Core's database.
  case failure(code: String, message: String)
}

extension Refusal {
  /// The answer that a server of this dialect gives.
  func response(in dialect: ServerDialect, to request: HTTPRequest) -> HTTPResponse {
    if self == .noRoute { return Refusal.missingRoute(request) }
    return dialect.isCore ? shipped : specified
  }

  private static func missingRoute(_ request: HTTPRequest) -> HTTPResponse {
    .json(
      404,
      [
        "message": .string("Route \(request.method):\(request.target) not found"), "error": "Not Found",
        "statusCode": 404,
      ])
  }

  /// The answer that the specification demands: `{error, message, statusCode}`. The status is a 4xx, or 500 for an
  /// error inside the server.
  private var specified: HTTPResponse {
    switch self {
    case .noRoute: Refusal.body(404, "Route not found")
    case .malformed(let text): Refusal.body(400, text)
    case .emptyBody: Refusal.body(400, "The request must have a JSON body")
    case .mediaType(let type): Refusal.body(415, "The content type must be application/json, found \(type)")
    case .tooLarge: Refusal.body(413, "The body is larger than 1 MiB")
    case .invalid(let issues, _): Refusal.body(400, issues.map(\.sentence).joined(separator: "; "))
    case .notFound(let message): Refusal.body(404, message)
    case .unauthorized(let message): Refusal.body(401, message)
    case .conflict(let message): Refusal.body(409, message)
    case .thrown(let message): Refusal.body(500, message)
    case .failure(_, let message): Refusal.body(500, message)
    }
  }

  /// The answer of Core 1.21 on Fastify 4. The validation throws outside the handler, so the answer to invalid members
  /// is a 500.
  private var shipped: HTTPResponse {
    switch self {
    case .noRoute: return Refusal.body(404, "Route not found")
    case .malformed(let text): return .json(400, ["statusCode": 400, "error": "Bad Request", "message": .string(text)])
    case .emptyBody:
      return Refusal.fastify(
        400, "FST_ERR_CTP_EMPTY_JSON_BODY", "Body cannot be empty when content-type is set to 'application/json'")
    case .mediaType(let type):
      return Refusal.fastify(415, "FST_ERR_CTP_INVALID_MEDIA_TYPE", "Unsupported Media Type: \(type)")
    case .tooLarge: return Refusal.fastify(413, "FST_ERR_CTP_BODY_TOO_LARGE", "Request body is too large")
    case .invalid(let issues, let failure): return Refusal.thrown(issues, failure)
    case .notFound(let message): return .json(404, ["error": .string(message)])
    case .unauthorized(let message): return .json(401, ["error": .string(message)])
    case .conflict(let message): return .json(409, ["error": .string(message)])
    case .thrown(let message): return Refusal.body(500, message)
    case .failure(let code, let message): return Refusal.fastify(500, code, message)
    }
  }

  /// The answer to invalid members. If the schema rejects members, the answer contains the text of a ZodError about
  /// them. Otherwise it contains the first error of the insert.
  private static func thrown(_ issues: [FieldIssue], _ failure: String) -> HTTPResponse {
    let schema = issues.filter { if case .storage = $0.problem { false } else { true } }
    if schema.isEmpty, case .storage(let text)? = issues.first?.problem {
      if failure.isEmpty { return fastify(500, "22001", text) }
      return .json(500, ["error": .string(failure), "message": .string(text)])
    }
    let message = JSON.array(schema.map(\.zodIssue)).prettyText
    return .json(500, ["statusCode": 500, "error": "Internal Server Error", "message": .string(message)])
  }

  private static func fastify(_ status: Int, _ code: String, _ message: String) -> HTTPResponse {
    let reason = HTTPResponse(status: status).reason
    // Fastify still uses the older name of the status.
    let error = status == 413 ? "Payload Too Large" : reason
    return .json(
      status,
      ["statusCode": .int(status), "code": .string(code), "error": .string(error), "message": .string(message)])
  }

  private static func body(_ status: Int, _ message: String) -> HTTPResponse {
    .json(
      status,
      [
        "error": .string(HTTPResponse(status: status).reason), "message": .string(message), "statusCode": .int(status),
      ])
  }
}
