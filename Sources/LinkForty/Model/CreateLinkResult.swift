import ConformanceModel

/// A link that was created, or that was there already.
///
/// Source: "Models Reference", CreateLinkResult.
public struct CreateLinkResult: Hashable, Sendable {
  public var url: String
  public var shortCode: String
  public var linkId: String
  /// Whether an existing link was returned; nil when the server does not say.
  public var deduplicated: Bool?
  /// Members that the model does not name.
  public var others: JSON.Object

  public init(
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
  public var representation: JSON {
    OpenMembers.join(
      [
        ("url", .string(url)), ("shortCode", .string(shortCode)), ("linkId", .string(linkId)),
        ("deduplicated", deduplicated.map(JSON.bool)),
      ], others)
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
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
