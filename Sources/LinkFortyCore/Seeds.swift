import LinkFortyModel

/// The content with which a fresh reference server starts. Cases refer to this content.
package enum Seeds {
  /// The template whose slug is `summer`.
  package static let templateSlug = "summer"
  package static let templateId = "3e8f2a17-b6c9-4d50-91e4-7f0ac5d86b23"
  /// The short code of ``fullLink``.
  package static let shortCode = "abc123"
  package static let linkId = "9b1d7e60-4c25-4f3a-a8e7-d5130b6f2c94"
  /// The short code of a link whose only other member is its id.
  package static let bareShortCode = "bare01"
  /// The short code of a link that was switched off.
  package static let inactiveShortCode = "idle01"
  /// The short code of a link that expired on 2025-01-01T00:00:00Z.
  package static let expiredShortCode = "gone01"
  /// The short code of a link with an attribution window of one hour.
  package static let hourShortCode = "hour01"
  /// The short code of a link with an attribution window of 2160 hours.
  package static let quarterShortCode = "qrtr01"
  /// The id of an install that the server knows from the start. The golden response to an install contains this id, so
  /// a client can send events for it.
  package static let installId = "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19"
  /// A valid API key. Each other key that consists of `lf_` and at least eight letters, digits, `-` and `_` is valid,
  /// too, except ``revokedApiKey``.
  package static let apiKey = "lf_key_0123456789abcdef"
  /// An API key of the valid form that was revoked.
  package static let revokedApiKey = "lf_key_revoked000000000"

  /// The link `abc123`. It has every member of DeepLinkData except the time of the click.
  package static let fullLink = Link(
    data: DeepLinkData([
      "shortCode": .string(shortCode), "iosUrl": "https://apps.apple.com/app/id1234567890",
      "androidUrl": "https://play.google.com/store/apps/details?id=com.example.shop",
      "webUrl": "https://shop.example.com/product/123",
      "utmParameters": [
        "source": "newsletter", "medium": "email", "campaign": "spring", "term": "shoes", "content": "header",
      ],
      "customParameters": ["product": "123", "color": "dark blue"], "deepLinkPath": "/product/123",
      "appScheme": "exampleshop", "linkId": .string(linkId),
    ]),
    templateSlug: templateSlug, templateId: templateId)

  /// Every link.
  package static let links: [Link] = [
    fullLink,
    link(bareShortCode, id: "0d6f1b52-8a3e-4c07-b1f4-2e9ad7c05b61"),
    link(inactiveShortCode, id: "1e7a2c63-9b4f-4d18-82a5-3fabe8d16c72", isActive: false),
    link(expiredShortCode, id: "2f8b3d74-ac50-4e29-93b6-40bcf9e27d83", expiresAt: 1_735_689_600_000),
    link(hourShortCode, id: "309c4e85-bd61-4f3a-a4c7-51cd0af38e94", window: 1),
    link(quarterShortCode, id: "41ad5f96-ce72-403b-b5d8-62de1b049fa5", window: 2160),
  ]

  private static func link(
    _ code: String, id: String, window: Int = 168, isActive: Bool = true, expiresAt: Int? = nil
  ) -> Link {
    Link(
      data: DeepLinkData(["shortCode": .string(code), "linkId": .string(id)]), attributionWindowHours: window,
      isActive: isActive, expiresAt: expiresAt)
  }
}
