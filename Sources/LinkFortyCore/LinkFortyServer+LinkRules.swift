/// The constraints on bodies that create links.
extension LinkFortyServer {
  var linkRules: [FieldRule] {
    let longestCode = 20
    let code =
      dialect.isCore
      ? FieldRule("customCode", .text, column: .text(longestCode))
      : FieldRule("customCode", .text, length: 1...(switches.has(.linksCodeUnchecked) ? .max : longestCode))
    return [
      FieldRule("deepLinkParameters", .object), FieldRule("title", .text, length: 0...255),
      FieldRule("description", .text), code, FieldRule("utmParameters", .object), FieldRule("externalUserId", .text),
      FieldRule("attributionWindowHours", .integer, range: 1...2160),
    ]
  }

  /// The constraints of the dashboard endpoint. Core requires the destination of the link, which no SDK sends.
  var dashboardRules: [FieldRule] {
    let isCore = dialect.isCore
    return linkRules + [
      FieldRule("templateId", .uuid, isRequired: !isCore), FieldRule("originalUrl", .url, isRequired: isCore),
      FieldRule("webFallbackUrl", .url), FieldRule("iosAppStoreUrl", .url), FieldRule("androidAppStoreUrl", .url),
      FieldRule("appScheme", .text), FieldRule("deepLinkPath", .text), FieldRule("targetingRules", .object),
      FieldRule("expiresAt", .timestamp), FieldRule("isActive", .boolean),
    ]
  }
}
