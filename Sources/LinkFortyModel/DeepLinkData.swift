import JSONKit

/// The content of a link: its destinations on each platform, its campaign and the app's own parameters.
///
/// Source: "Models Reference", DeepLinkData. Only the short code is required. The time of the click is kept as it is
/// spelled. By the specification, custom and campaign parameters are texts, but shipped servers also send other JSON,
/// which is kept.
package struct DeepLinkData: OpenModel {
  /// The optional members that are texts, except `clickedAt` and `linkId`, which the server adds.
  package static let texts = ["iosUrl", "androidUrl", "webUrl", "deepLinkPath", "appScheme"]
  /// The member names of DeepLinkData.
  package static let names = ["shortCode"] + texts + ["utmParameters", "customParameters", "clickedAt", "linkId"]
  /// The members of a campaign. In the query of a URL, each name has the prefix `utm_`.
  package static let campaignNames = ["source", "medium", "campaign", "term", "content"]

  package var members: JSON.Object

  package init(_ members: JSON.Object) { self.members = members }

  package static func check(_ field: JSONField) throws(JSONField.Problem) {
    try field.needText("shortCode")
    for name in texts + ["clickedAt", "linkId"] { _ = try field.text(name) }
    for name in ["utmParameters", "customParameters"] { _ = try field.object(name) }
  }

  package var shortCode: String { self[text: "shortCode"] ?? "" }
  package var linkId: String? { self[text: "linkId"] }
  /// The route inside the app, such as `/product/123`.
  package var deepLinkPath: String? { self[text: "deepLinkPath"] }
  package var appScheme: String? { self[text: "appScheme"] }
  package var webUrl: String? { self[text: "webUrl"] }

  package var utmParameters: JSON.Object? {
    get { self[object: "utmParameters"] }
    set { self[object: "utmParameters"] = newValue }
  }

  package var customParameters: JSON.Object? {
    get { self[object: "customParameters"] }
    set { self[object: "customParameters"] = newValue }
  }
}

extension DeepLinkData {
  /// The link as Core 1.21 sends it in the answer to an install. It has legacy names, and null for each text without
  /// a value. It does not contain the path, the scheme and the link id.
  func legacyMembers(of install: InstallResponse) -> JSON.Object {
    func value(_ name: String) -> JSON { members[name] ?? .null }
    return [
      "shortCode": value("shortCode"), "originalUrl": value("webUrl"), "iosUrl": value("iosUrl"),
      "androidUrl": value("androidUrl"), "webFallbackUrl": value("webUrl"),
      "utmParameters": .object(utmParameters ?? [:]), "targetingRules": [:],
      "deepLinkParameters": .object(customParameters ?? [:]), "clickedAt": value("clickedAt"),
      "confidenceScore": install.members["confidenceScore"] ?? 0,
      "matchedFactors": install.members["matchedFactors"] ?? [],
    ]
  }

  /// The link as an app gets it: the members of DeepLinkData that have a value. If a canonical name is missing, the
  /// legacy name of Core 1.21 is used.
  package var canonical: DeepLinkData {
    var data = DeepLinkData(members.only(Self.names))
    data[text: "webUrl"] = webUrl ?? self[text: "webFallbackUrl"]
    data.customParameters = customParameters ?? self[object: "deepLinkParameters"]
    return data
  }
}
