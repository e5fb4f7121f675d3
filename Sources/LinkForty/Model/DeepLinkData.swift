import ConformanceModel
import JSONKit

/// What a link carries: where it leads on each platform, its campaign and the app's own parameters.
///
/// Source: "Models Reference", DeepLinkData. Only the short code is required. `clickedAt` keeps the spelling it came in.
package struct DeepLinkData: Hashable, Sendable {
  package var shortCode: String
  package var iosUrl: String?
  package var androidUrl: String?
  package var webUrl: String?
  package var utmParameters: UTMParameters?
  /// A map of text to text by the specification; shipped servers put other JSON there too, which is kept.
  package var customParameters: JSON.Object?
  /// The route inside the app, such as `/product/123`.
  package var deepLinkPath: String?
  package var appScheme: String?
  /// ISO 8601.
  package var clickedAt: String?
  package var linkId: String?
  /// Members that the model does not name.
  package var others: JSON.Object

  package init(
    shortCode: String, iosUrl: String? = nil, androidUrl: String? = nil, webUrl: String? = nil,
    utmParameters: UTMParameters? = nil, customParameters: JSON.Object? = nil, deepLinkPath: String? = nil,
    appScheme: String? = nil, clickedAt: String? = nil, linkId: String? = nil, others: JSON.Object = [:]
  ) {
    self.shortCode = shortCode
    self.iosUrl = iosUrl
    self.androidUrl = androidUrl
    self.webUrl = webUrl
    self.utmParameters = utmParameters
    self.customParameters = customParameters
    self.deepLinkPath = deepLinkPath
    self.appScheme = appScheme
    self.clickedAt = clickedAt
    self.linkId = linkId
    self.others = others
  }
}

extension DeepLinkData: JSONRepresentable {
  package var representation: JSON {
    OpenMembers.join(
      [
        ("shortCode", .string(shortCode)), ("iosUrl", iosUrl.map(JSON.string)),
        ("androidUrl", androidUrl.map(JSON.string)), ("webUrl", webUrl.map(JSON.string)),
        ("utmParameters", utmParameters?.representation), ("customParameters", customParameters.map(JSON.object)),
        ("deepLinkPath", deepLinkPath.map(JSON.string)), ("appScheme", appScheme.map(JSON.string)),
        ("clickedAt", clickedAt.map(JSON.string)), ("linkId", linkId.map(JSON.string)),
      ], others)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    let code = try field.required("shortCode")
    shortCode = try code.string()
    if shortCode.isEmpty { throw code.problem(expected: "a short code") }
    iosUrl = try field.text("iosUrl")
    androidUrl = try field.text("androidUrl")
    webUrl = try field.text("webUrl")
    utmParameters = try field.decodeIfPresent("utmParameters")
    customParameters = try field.object("customParameters")
    deepLinkPath = try field.text("deepLinkPath")
    appScheme = try field.text("appScheme")
    clickedAt = try field.text("clickedAt")
    linkId = try field.text("linkId")
    others = [:]
    others = try OpenMembers.rest(of: field, beside: representation)
  }
}

extension DeepLinkData {
  /// The form in which Core 1.21 answers an install: legacy names, explicit nulls, and no path, scheme or link id.
  package func legacyRepresentation(confidenceScore: Int, matchedFactors: [String]) -> JSON {
    [
      "shortCode": .string(shortCode), "originalUrl": webUrl.map(JSON.string) ?? .null,
      "iosUrl": iosUrl.map(JSON.string) ?? .null, "androidUrl": androidUrl.map(JSON.string) ?? .null,
      "webFallbackUrl": webUrl.map(JSON.string) ?? .null, "utmParameters": utmParameters?.representation ?? [:],
      "targetingRules": [:], "deepLinkParameters": .object(customParameters ?? [:]),
      "clickedAt": clickedAt.map(JSON.string) ?? .null, "confidenceScore": .int(confidenceScore),
      "matchedFactors": .strings(matchedFactors),
    ]
  }

  /// What an app sees: the named members alone, taken from the legacy names of Core 1.21 where the canonical ones
  /// are missing.
  package var canonical: DeepLinkData {
    var data = self
    if data.webUrl == nil { data.webUrl = others["webFallbackUrl"]?.string }
    if data.customParameters == nil { data.customParameters = others["deepLinkParameters"]?.object }
    data.others = [:]
    return data
  }
}
