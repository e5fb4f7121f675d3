import JSONKit
import LinkFortyModel
import Templates

/// A link in the store of the server.
package struct Link: Hashable, Sendable {
  /// The content of the link. Its short code is the key of the link in the store.
  package var data: DeepLinkData
  package var templateSlug: String?
  package var templateId: String?
  /// The default destination of the link, which Core calls the original URL.
  package var originalUrl: String?
  /// The greatest age of a click to which an install is attributed, in hours.
  package var attributionWindowHours: Int
  package var isActive: Bool
  /// The time of expiry, in milliseconds since 1970.
  package var expiresAt: Int?
  /// The countries, devices and languages whose visitors the link accepts.
  var targeting = Targeting()
  var title: String?
  /// A description of the link for its creator.
  var details: String?
  /// The time of creation, in milliseconds since 1970.
  var createdAt = 0
  /// The user and the options with which the link was created, as one text. A new request with the same text gets this
  /// link.
  var origin: String?

  package init(
    data: DeepLinkData, templateSlug: String? = nil, templateId: String? = nil, attributionWindowHours: Int = 168,
    isActive: Bool = true, expiresAt: Int? = nil
  ) {
    self.data = data
    self.templateSlug = templateSlug
    self.templateId = templateId
    self.attributionWindowHours = attributionWindowHours
    self.isActive = isActive
    self.expiresAt = expiresAt
  }

  /// The code in the link's URL.
  package var shortCode: String { data.shortCode }

  /// The path of the link's URL.
  var path: String { templateSlug.map { "/\($0)/\(shortCode)" } ?? "/\(shortCode)" }

  func hasExpired(at now: Int) -> Bool { expiresAt.map { now > $0 } ?? false }

  /// Whether requests for the link succeed: it is active and has not expired.
  func isLive(at now: Int) -> Bool { isActive && !hasExpired(at: now) }
}

extension Link {
  /// Maps each member of a body that creates or changes a link to the name of this member in DeepLinkData.
  private static let memberNames = [
    "iosAppStoreUrl": "iosUrl", "androidAppStoreUrl": "androidUrl", "webFallbackUrl": "webUrl",
    "deepLinkPath": "deepLinkPath", "appScheme": "appScheme", "utmParameters": "utmParameters",
    "deepLinkParameters": "customParameters",
  ]

  /// Updates the link with the members of a body.
  mutating func take(_ body: JSON.Object) {
    for member in body.members where member.value.string != nil || member.value.object != nil {
      if let name = Self.memberNames[member.key] { data.members[name] = member.value }
    }
    originalUrl = body["originalUrl"]?.string ?? originalUrl
    attributionWindowHours = body["attributionWindowHours"]?.int ?? attributionWindowHours
    expiresAt = body["expiresAt"]?.string.flatMap { Timestamp($0) }?.milliseconds ?? expiresAt
    title = body["title"]?.string ?? title
    details = body["description"]?.string ?? details
  }
}

/// A template of links.
struct LinkTemplate: Hashable, Sendable {
  var id: String
  var slug: String
  var name = ""
  /// The destination of those links of the template that have no destination of their own.
  var fallbackUrl = "https://shop.example.com/"
}
