import ConformanceModel
import JSONKit

/// What an app asks of a link that it creates; everything may be left out.
///
/// Source: "Models Reference", CreateLinkOptions. With a template id the dashboard endpoint is asked, without one the
/// simplified endpoint, which chooses the template. The template's slug is only for building the link's URL.
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
