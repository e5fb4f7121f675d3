import ConformanceModel
import JSONKit

/// The ways in which a server may legally differ around any of its answers.
package struct AnswerVariation: Hashable, Sendable {
  /// The type of a JSON body without a parameter.
  package var plainContentType = false
  package var lowerCaseHeaders = false
  /// Members that no document names, one of them with `null` deep inside.
  package var extraMembers = false
  package var reversedMembers = false

  package init() {}

  /// The answer in this form; a body that is no JSON object stays as it is.
  package func applied(to response: HTTPResponse) -> HTTPResponse {
    var response = response
    if let body = response.json, body.object != nil { response.body = varied(body).compactBytes }
    if plainContentType, response.json != nil { response.headers["Content-Type"] = "application/json" }
    if lowerCaseHeaders { response.headers.lowerCaseNames() }
    return response
  }

  private func varied(_ body: JSON) -> JSON {
    var members = body.object?.members ?? []
    if extraMembers {
      members.append(.init(key: "requestId", value: "b4f1"))
      members.append(.init(key: "meta", value: ["region": "eu", "hints": [1, .null]]))
    }
    if reversedMembers { members.reverse() }
    return .object(JSON.Object(members))
  }
}

extension HTTPResponse {
  /// The body as JSON, when the content type says that it is.
  package var json: JSON? {
    guard headers["Content-Type"]?.hasPrefix("application/json") == true else { return nil }
    return try? JSON(parsing: body)
  }
}
