import JSONKit

/// The options of a link that an app creates; all are optional.
///
/// Source: "Models Reference", CreateLinkOptions. If the app gives a template id, the SDK calls the dashboard endpoint.
/// Otherwise the SDK calls the simplified endpoint, and the server chooses the template. The SDK needs the template's
/// slug only for the URL of the link.
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
