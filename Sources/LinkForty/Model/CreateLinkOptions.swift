import ConformanceModel
import JSONKit

/// What an app asks of a link that it creates; everything may be left out.
///
/// Source: "Models Reference", CreateLinkOptions. With a template id the dashboard endpoint is asked, without one the
/// simplified endpoint, which chooses the template.
package struct CreateLinkOptions: Hashable, Sendable {
  package var templateId: String?
  /// Only for building the link's URL: never sent.
  package var templateSlug: String?
  package var deepLinkParameters: JSON.Object?
  package var title: String?
  package var description: String?
  package var customCode: String?
  package var utmParameters: UTMParameters?
  package var externalUserId: String?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    templateId: String? = nil, templateSlug: String? = nil, deepLinkParameters: JSON.Object? = nil,
    title: String? = nil, description: String? = nil, customCode: String? = nil, utmParameters: UTMParameters? = nil,
    externalUserId: String? = nil, others: JSON.Object = [:]
  ) {
    self.templateId = templateId
    self.templateSlug = templateSlug
    self.deepLinkParameters = deepLinkParameters
    self.title = title
    self.description = description
    self.customCode = customCode
    self.utmParameters = utmParameters
    self.externalUserId = externalUserId
    self.others = others
  }
}

extension CreateLinkOptions: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("templateId", templateId.map(JSON.string)), ("templateSlug", templateSlug.map(JSON.string)),
        ("deepLinkParameters", deepLinkParameters.map(JSON.object)), ("title", title.map(JSON.string)),
        ("description", description.map(JSON.string)), ("customCode", customCode.map(JSON.string)),
        ("utmParameters", utmParameters?.representation), ("externalUserId", externalUserId.map(JSON.string)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    templateId = try field.text("templateId")
    templateSlug = try field.text("templateSlug")
    deepLinkParameters = try field.object("deepLinkParameters")
    title = try field.text("title")
    description = try field.text("description")
    customCode = try field.text("customCode")
    utmParameters = try field.decodeIfPresent("utmParameters")
    externalUserId = try field.text("externalUserId")
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}
