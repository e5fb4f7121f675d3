import JSONKit

/// A link that was created, or that existed already.
///
/// Source: "Models Reference", CreateLinkResult.
package struct CreateLinkResult: OpenModel {
  /// The member names of CreateLinkResult.
  package static let names = ["url", "shortCode", "linkId", "deduplicated"]

  package var members: JSON.Object

  package init(_ members: JSON.Object) { self.members = members }

  /// `deduplicated` is true if the link existed already, and nil if the server does not report this.
  package init(url: String, shortCode: String, linkId: String, deduplicated: Bool?) {
    members = ["url": .string(url), "shortCode": .string(shortCode), "linkId": .string(linkId)]
    members["deduplicated"] = deduplicated.map(JSON.bool)
  }

  package static func check(_ field: JSONField) throws(JSONField.Problem) {
    for name in ["url", "shortCode", "linkId"] { try field.needText(name) }
    _ = try field.optional("deduplicated")?.bool()
  }

  package var url: String {
    get { self[text: "url"] ?? "" }
    set { self[text: "url"] = newValue }
  }
}
