import ConformanceModel
import HTTPValues
import JSONKit

/// Legal variations of a server's answers: different forms that HTTP and JSON allow, and additional members and fields
/// that no document names.
package struct AnswerVariation: Hashable, Sendable {
  /// A kind of variation. Its raw value is the id of the variant that switches it on.
  package enum Kind: String, CaseIterable, Sendable {
    case capitalCharset = "answer.capital-charset"
    case chunked = "answer.chunked"
    case escapedSlashes = "answer.escaped-slashes"
    case extraHeaders = "answer.extra-headers"
    case extraMembers = "answer.extra-members"
    case lowerCaseHeaders = "answer.lower-case-headers"
    case plainContentType = "answer.plain-content-type"
    case reversedHeaders = "answer.reversed-headers"
    case reversedMembers = "answer.reversed-members"
    case spacedJSON = "answer.spaced-json"
  }

  package var kinds: Set<Kind>

  package init(_ kinds: Set<Kind> = []) { self.kinds = kinds }

  /// The variations with these ids. Other ids are ignored.
  package init(ids: Set<DefectID>) { self.init(Set(ids.compactMap { Kind(rawValue: $0.rawValue) })) }

  /// The answer with these variations. Members are added only to a body that is a JSON object.
  package func applied(to response: HTTPResponse) -> HTTPResponse {
    guard !kinds.isEmpty else { return response }
    var response = response
    if let body = response.json {
      response.body = bytes(of: varied(body), before: response.body)
      vary(&response.headers["Content-Type"])
    }
    if kinds.contains(.extraHeaders) {
      response.headers.append("X-Request-Id", "b4f1")
      response.headers.append("Server", "edge/2.1")
    }
    // An answer without a body, as to HEAD or with the status 204, must not name a transfer coding (RFC 9112 §6.1).
    if kinds.contains(.chunked), !response.body.isEmpty {
      response.headers["Content-Length"] = nil
      response.headers["Transfer-Encoding"] = "chunked"
    }
    if kinds.contains(.reversedHeaders) { response.headers.fields.reverse() }
    if kinds.contains(.lowerCaseHeaders) { response.headers.lowerCaseNames() }
    return response
  }

  private func varied(_ body: JSON) -> JSON {
    guard var members = body.object?.members else { return body }
    if kinds.contains(.extraMembers) {
      // One of the members contains a nested `null`.
      members.append(.init(key: "requestId", value: "b4f1"))
      members.append(.init(key: "meta", value: ["region": "eu", "hints": [1, .null]]))
    }
    if kinds.contains(.reversedMembers) { members.reverse() }
    return .object(JSON.Object(members))
  }

  /// The body as bytes. If no variation changes how the JSON is written, these are the original bytes `before`.
  private func bytes(of body: JSON, before: [UInt8]) -> [UInt8] {
    let respells = !kinds.isDisjoint(with: [.escapedSlashes, .extraMembers, .reversedMembers, .spacedJSON])
    guard respells else { return before }
    let bytes = kinds.contains(.spacedJSON) ? Array(body.prettyText.utf8) : body.compactBytes
    // Slashes occur only in strings, and the writer does not escape slashes.
    return kinds.contains(.escapedSlashes)
      ? bytes.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] } : bytes
  }

  private func vary(_ contentType: inout String?) {
    if kinds.contains(.plainContentType) { contentType = "application/json" }
    if kinds.contains(.capitalCharset) { contentType = "application/json;charset=UTF-8" }
  }
}

extension AnswerVariation.Kind {
  package var id: DefectID { DefectID(rawValue) }

  /// A description of the server with this variation, as a sentence.
  package var text: String {
    switch self {
    case .capitalCharset: "Writes the charset of its content types in capitals and without a space."
    case .chunked: "Sends bodies in chunks instead of with a length."
    case .escapedSlashes: "Escapes the slashes in the texts of its answers."
    case .extraHeaders: "Answers with additional header fields."
    case .extraMembers: "Answers with additional members."
    case .lowerCaseHeaders: "Writes the names of header fields in lower case."
    case .plainContentType: "Leaves the charset out of the content type."
    case .reversedHeaders: "Sends its header fields in another order."
    case .reversedMembers: "Writes the members of its answers the other way round."
    case .spacedJSON: "Writes its answers on several lines."
    }
  }

  /// The passage of a standard, or another reason, that allows the variation.
  package var reason: String {
    switch self {
    case .capitalCharset: "The letter case of a charset means nothing (RFC 9110, 8.3.2)."
    case .chunked: "HTTP leaves it to the server (RFC 9112, 7.1)."
    case .escapedSlashes: "JSON takes both spellings for one text (RFC 8259, 7)."
    case .extraHeaders: "A client ignores a field that it does not know (RFC 9110, 5.1)."
    case .extraMembers: "A client ignores a member that it does not know, or no server could ever add one."
    case .lowerCaseHeaders: "Names of fields have no case (RFC 9110, 5.1)."
    case .plainContentType: "JSON is UTF-8 without being called so (RFC 8259, 8.1)."
    case .reversedHeaders: "The order of fields with different names means nothing (RFC 9110, 5.3)."
    case .reversedMembers: "The members of an object have no order (RFC 8259, 4)."
    case .spacedJSON: "Space between the parts of a JSON text means nothing (RFC 8259, 2)."
    }
  }
}

extension HTTPResponse {
  /// The body as JSON; nil if the content type does not declare JSON or the body is invalid.
  package var json: JSON? {
    guard headers["Content-Type"]?.hasPrefix("application/json") == true else { return nil }
    return try? JSON(parsing: body)
  }
}
