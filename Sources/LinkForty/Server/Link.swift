import ConformanceModel
import JSONKit

/// A link as the server keeps it.
package struct Link: Hashable, Sendable {
  /// What the link carries; the short code is its key.
  package var data: DeepLinkData
  package var templateSlug: String?
  package var templateId: String?
  /// Where the link leads when nothing else says so: what Core calls its original URL.
  package var originalUrl: String?
  /// How old a click may be to be credited with an install, in hours.
  package var attributionWindowHours: Int
  package var isActive: Bool
  /// Milliseconds since 1970 after which the link is gone.
  package var expiresAt: Int?
  /// Whom a browser that opens the link must belong to.
  var targeting = Targeting()
  var title: String?
  /// What it is about, for whoever made it.
  var details: String?
  /// Milliseconds since 1970.
  var createdAt = 0
  /// The user and options it was made for, as one text: the key of deduplication.
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

  /// Whether it answers at all.
  func isLive(at now: Int) -> Bool { isActive && !hasExpired(at: now) }
}

extension Link {
  /// What the model calls the members of the bodies that make and change links.
  private static let memberNames = [
    "iosAppStoreUrl": "iosUrl", "androidAppStoreUrl": "androidUrl", "webFallbackUrl": "webUrl",
    "deepLinkPath": "deepLinkPath", "appScheme": "appScheme", "utmParameters": "utmParameters",
    "deepLinkParameters": "customParameters",
  ]

  /// Takes over what a body says that makes or changes the link.
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

/// What links are made from.
struct LinkTemplate: Hashable, Sendable {
  var id: String
  var slug: String
  var name = ""
  /// Where links lead that have no destination of their own.
  var fallbackUrl = "https://shop.example.com/"
}
