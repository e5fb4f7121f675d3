import ConformanceModel
import JSONKit

/// A link that was created, or that was there already.
///
/// Source: "Models Reference", CreateLinkResult.
package struct CreateLinkResult: Hashable, Sendable {
  package var url: String
  package var shortCode: String
  package var linkId: String
  /// Whether an existing link was returned; nil when the server does not say.
  package var deduplicated: Bool?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    url: String, shortCode: String, linkId: String, deduplicated: Bool? = nil, others: JSON.Object = [:]
  ) {
    self.url = url
    self.shortCode = shortCode
    self.linkId = linkId
    self.deduplicated = deduplicated
    self.others = others
  }
}

extension CreateLinkResult: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("url", .string(url)), ("shortCode", .string(shortCode)), ("linkId", .string(linkId)),
        ("deduplicated", deduplicated.map(JSON.bool)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    url = try CreateLinkResult.text(field, "url")
    shortCode = try CreateLinkResult.text(field, "shortCode")
    linkId = try CreateLinkResult.text(field, "linkId")
    deduplicated = try field.optional("deduplicated")?.bool()
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }

  private static func text(_ field: JSONField, _ key: String) throws(JSONField.Problem) -> String {
    let member = try field.required(key)
    let text = try member.string()
    if text.isEmpty { throw member.problem(expected: "a text that is not empty") }
    return text
  }
}
