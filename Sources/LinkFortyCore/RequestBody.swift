import HTTPValues
import JSONKit
import LinkFortyModel

/// Reads the JSON body of a request.
enum RequestBody {
  /// The largest number of bytes of a body.
  static let limit = 1 << 20

  /// The JSON value of the body, which the caller then validates. Core reads a body of the type `text/plain` as a
  /// string, which its schema rejects. If a request has neither a body nor a type, Core's schema reports a missing
  /// object.
  static func read(_ request: HTTPRequest, in dialect: ServerDialect) throws(Refusal) -> JSON {
    guard request.body.count <= limit else { throw .tooLarge }
    let type = request.headers["Content-Type"]?.prefix { !";\t ".contains($0) }.lowercased()
    switch type {
    case "application/json"?: return try parse(request.body)
    case nil where request.body.isEmpty && dialect.isCore:
      throw .invalid([FieldIssue(member: nil, problem: .missing(.object))], failure: "")
    case nil where request.body.isEmpty: throw .emptyBody
    case "text/plain"? where dialect.isCore: return .string(String(decoding: request.body, as: UTF8.self))
    default: throw .mediaType(type ?? "undefined")
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(Refusal) -> JSON {
    if bytes.isEmpty { throw .emptyBody }
    do {
      return try JSON(parsing: Octets(bytes).withoutMark)
    } catch {
      throw .malformed(error.description)
    }
  }
}
