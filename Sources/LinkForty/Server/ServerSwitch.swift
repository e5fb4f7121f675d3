import ReferenceKit

/// The defects and legal variants of the reference server.
package enum ServerSwitch: String, SwitchList {
  // Health
  case healthNeedsKey = "health.needs-key"
  case healthIsText = "health.text"

  // Install
  case installAppVersionRefused = "install.app-version-refused"
  case installUnknownMemberRefused = "install.unknown-member-refused"
  case installAppTokenChecked = "install.app-token-checked"
  case installNeedsKey = "install.needs-key"
  case installUserAgentOptional = "install.user-agent-optional"
  case installUserAgentMissingCrashes = "install.user-agent-500"
  case installTypesUnchecked = "install.types-unchecked"
  case installMalformedCrashes = "install.malformed-500"
  case installLongTextCrashes = "install.long-text-500"
  case installFractionCrashes = "install.fraction-500"
  case installRefusalWithoutMessage = "install.refusal-without-message"
  case installBodyUnlimited = "install.body-unlimited"

  // Attribution
  case attributionWindowIgnored = "attribution.window-ignored"
  case attributionLoose = "attribution.loose"
  case attributionLegacyNames = "attribution.legacy-names"
  case attributionNever = "attribution.never"
  case attributionOtherLink = "attribution.other-link"
  case attributionTimeOfInstall = "attribution.time-of-install"
  case attributionThresholdExclusive = "attribution.threshold-exclusive"
  case attributionThresholdLow = "attribution.threshold-60"
  case attributionAddressExact = "attribution.address-exact"
  case attributionAddressesOfASixteen = "attribution.address-16"
  case attributionPrivateAddressesCount = "attribution.private-addresses-count"
  case attributionLanguageExact = "attribution.language-exact"
  case attributionTimezoneIgnored = "attribution.timezone-ignored"
  case attributionWindowOfAWeek = "attribution.window-of-a-week"

  // Event
  case eventNeedsData = "event.needs-data"
  case eventNestedRefused = "event.nested-refused"
  case eventFractionRefused = "event.fraction-refused"
  case eventNeedsTimestamp = "event.needs-timestamp"
  case eventUnknownInstallAccepted = "event.unknown-install-accepted"
  case eventUnknownInstallCrashes = "event.unknown-install-500"
  case eventNameOptional = "event.name-optional"
  case eventDataUnchecked = "event.data-unchecked"
  case eventRevenueRefused = "event.revenue-refused"

  // Resolve
  case resolveUnknownFound = "resolve.unknown-found"
  case resolveWrongSlugFound = "resolve.wrong-slug-found"
  case resolveLegacyNames = "resolve.legacy-names"
  case resolveOtherShortCode = "resolve.other-short-code"
  case resolveInactiveFound = "resolve.inactive-found"
  case resolveExpiredFound = "resolve.expired-found"
  case resolveFingerprintCrashes = "resolve.fingerprint-500"
  case resolveNeedsKey = "resolve.needs-key"
  case resolveTwoSegmentsMissing = "resolve.two-segments-missing"
  case resolveFingerprintRequired = "resolve.fingerprint-required"
  case resolveOddCodesCrash = "resolve.odd-codes-500"
  case resolveCaseIgnored = "resolve.case-ignored"
  case resolveCustomValuesAsStored = "resolve.custom-values-as-stored"
  case resolveAbsentAsEmpty = "resolve.absent-as-empty"

  // Redirect
  case redirectInactiveFound = "redirect.inactive-found"

  // Links
  case linksOpen = "links.open"
  case linksUnresolvable = "links.unresolvable"
  case linksParametersLost = "links.parameters-lost"
  case linksNeverDeduplicated = "links.never-deduplicated"
  case linksCodeReplaced = "links.code-replaced"
  case linksWindowUnbounded = "links.window-unbounded"
  case linksWindowFromZero = "links.window-from-0"
  case linksWindowShort = "links.window-to-2159"
  case linksRevokedKeyAccepted = "links.revoked-key-accepted"
  case linksUsersIgnored = "links.users-ignored"
  case linksCodeIgnored = "links.code-ignored"
  case linksCodeOverwritten = "links.code-overwritten"
  case linksCodeUnchecked = "links.code-unchecked"
  case linksDashboardOpen = "links.dashboard-open"
  case linksDashboardWithoutID = "links.dashboard-without-id"
  case linksUnknownTemplateAccepted = "links.unknown-template-accepted"

  // Every endpoint
  case routesMethodsIgnored = "routes.methods-ignored"
  case refusalAsText = "refusal.text"
  case refusalShapesDiffer = "refusal.shapes-differ"
  case rateLimitMissing = "rate-limit.missing"
  case rateLimitUnannounced = "rate-limit.unannounced"
  case rateLimitCoversRedirects = "rate-limit.covers-redirects"

  // Legal variants
  case variantExtraMembers = "answer.extra-members"
  case variantReversedMembers = "answer.reversed-members"
  case variantLowerCaseHeaders = "answer.lower-case-headers"
  case variantPlainContentType = "answer.plain-content-type"
  case variantCreated = "answer.status-201"
  case variantUnprocessable = "answer.status-422"
  case variantUpperCaseIDs = "ids.upper-case"
  case variantOrganicDataAbsent = "organic.data-absent"
  case variantAcknowledgementEmpty = "event.acknowledgement-empty"
  case variantReportWindowIgnored = "attribution.report-window-ignored"
  case variantAbsentAsNull = "resolve.absent-as-null"
  case variantDeduplicatedWhenTrue = "links.deduplicated-when-true"
  case variantMethodNotAllowed = "answer.status-405"

  package var isVariant: Bool {
    switch self {
    case .variantExtraMembers, .variantReversedMembers, .variantLowerCaseHeaders, .variantPlainContentType,
      .variantCreated, .variantUnprocessable, .variantUpperCaseIDs, .variantOrganicDataAbsent,
      .variantAcknowledgementEmpty, .variantReportWindowIgnored, .variantAbsentAsNull, .variantDeduplicatedWhenTrue,
      .variantMethodNotAllowed:
      true
    default: false
    }
  }
}
