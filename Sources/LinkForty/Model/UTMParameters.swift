import ConformanceModel

/// The campaign parameters of a link, each of which may be absent.
///
/// Source: "Models Reference", UTMParameters. Values that are not text stay in `others`: shipped servers store any JSON.
public struct UTMParameters: Hashable, Sendable {
  public var source: String?
  public var medium: String?
  public var campaign: String?
  public var term: String?
  public var content: String?
  /// Members that the model does not name.
  public var others: JSON.Object

  public init(
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
  public static let queryNames = ["source", "medium", "campaign", "term", "content"].map {
    (member: $0, query: "utm_\($0)")
  }

  /// Whether no parameter has a value.
  public var isEmpty: Bool { representation.object?.members.isEmpty ?? true }
}

extension UTMParameters: JSONRepresentable {
  public var representation: JSON {
    OpenMembers.join(
      [
        ("source", source.map(JSON.string)), ("medium", medium.map(JSON.string)),
        ("campaign", campaign.map(JSON.string)), ("term", term.map(JSON.string)),
        ("content", content.map(JSON.string)),
      ], others)
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    source = field.value["source"]?.string
    medium = field.value["medium"]?.string
    campaign = field.value["campaign"]?.string
    term = field.value["term"]?.string
    content = field.value["content"]?.string
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
