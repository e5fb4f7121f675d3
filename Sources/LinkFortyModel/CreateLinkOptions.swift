import JSONKit

/// The options of a link that an app creates; all are optional.
///
/// Source: "Models Reference", CreateLinkOptions. If there is a template id, the SDK calls the dashboard endpoint.
/// Without a template id it calls the simplified endpoint, which chooses the template. The template's slug is only
/// needed for the link's URL.
package struct CreateLinkOptions: OpenModel {
  package var members: JSON.Object

  package init(_ members: JSON.Object = [:]) { self.members = members }

  package static func check(_ field: JSONField) throws(JSONField.Problem) {
    for name in ["templateId", "templateSlug", "title", "description", "customCode", "externalUserId"] {
      _ = try field.text(name)
    }
    for name in ["deepLinkParameters", "utmParameters"] { _ = try field.object(name) }
  }
}
