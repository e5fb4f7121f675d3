import JSONKit

/// The content of a link: its destinations on each platform, its campaign and the app's own parameters.
///
/// Source: "Models Reference", DeepLinkData. Only the short code is required. The time of the click keeps its spelling.
/// Custom and campaign parameters are texts by the specification, but keep any JSON that shipped servers send.
package struct DeepLinkData: OpenModel {
  /// The optional text members, without those that the server adds.
  package static let texts = ["iosUrl", "androidUrl", "webUrl", "deepLinkPath", "appScheme"]
  /// The members of the model.
  package static let names = ["shortCode"] + texts + ["utmParameters", "customParameters", "clickedAt", "linkId"]
  /// The members of the campaign; in the query of a URL each has the prefix `utm_`.
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
  /// The form of an answer to an install in Core 1.21: legacy names, explicit nulls, and no path, scheme or link id.
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

  /// The form for an app: the named members with a value, taken from the legacy names of Core 1.21 if the canonical
  /// ones are missing.
  package var canonical: DeepLinkData {
    var data = DeepLinkData(members.only(Self.names))
    data[text: "webUrl"] = webUrl ?? self[text: "webFallbackUrl"]
    data.customParameters = customParameters ?? self[object: "deepLinkParameters"]
    return data
  }
}
