import ConformanceModel
import JSONKit

/// The campaign parameters of a link, each of which may be absent.
///
/// Source: "Models Reference", UTMParameters. Values that are not text stay in `others`: shipped servers store any JSON.
package struct UTMParameters: Hashable, Sendable {
  package var source: String?
  package var medium: String?
  package var campaign: String?
  package var term: String?
  package var content: String?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    source: String? = nil, medium: String? = nil, campaign: String? = nil, term: String? = nil, content: String? = nil,
    others: JSON.Object = [:]
  ) {
    self.source = source
    self.medium = medium
    self.campaign = campaign
    self.term = term
    self.content = content
    self.others = others
  }

  /// The query parameters of a URL that carry the five members, by member name.
  package static let queryNames = ["source", "medium", "campaign", "term", "content"].map {
    (member: $0, query: "utm_\($0)")
  }

  /// Whether no parameter has a value.
  package var isEmpty: Bool { representation.object?.members.isEmpty ?? true }
}

extension UTMParameters: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("source", source.map(JSON.string)), ("medium", medium.map(JSON.string)),
        ("campaign", campaign.map(JSON.string)), ("term", term.map(JSON.string)),
        ("content", content.map(JSON.string)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    source = field.value["source"]?.string
    medium = field.value["medium"]?.string
    campaign = field.value["campaign"]?.string
    term = field.value["term"]?.string
    content = field.value["content"]?.string
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
