import ReferenceKit

/// The defects and legal variants of the reference server.
package enum ServerSwitch: String, SwitchList {
  // Install
  case installTypesUnchecked = "install.types-unchecked"
  case installScreenInPairs = "install.screen-in-pairs"
  case installLatestLinkLeaks = "install.latest-link-leaks"

  // Event
  case eventKeyChecked = "event.key-checked"
  case eventFewMembers = "event.few-members"

  // Attribution
  case attributionWindowIgnored = "attribution.window-ignored"
  case attributionLoose = "attribution.loose"
  case attributionTimeOfInstall = "attribution.time-of-install"
  case attributionThresholdExclusive = "attribution.threshold-exclusive"
  case attributionThresholdLow = "attribution.threshold-60"
  case attributionAddressExact = "attribution.address-exact"
  case attributionAddressesOfASixteen = "attribution.address-16"
  case attributionPrivateAddressesCount = "attribution.private-addresses-count"
  case attributionLanguageExact = "attribution.language-exact"
  case attributionTimezoneIgnored = "attribution.timezone-ignored"
  case attributionWindowOfAWeek = "attribution.window-of-a-week"
  case attributionSlugsUncounted = "attribution.slugs-uncounted"
  case attributionLatestOfNetwork = "attribution.latest-of-network"

  // Resolve and redirect
  case resolveUnknownFound = "resolve.unknown-found"
  case resolveWrongSlugFound = "resolve.wrong-slug-found"
  case resolveInactiveFound = "resolve.inactive-found"
  case resolveExpiredFound = "resolve.expired-found"
  case resolveCaseIgnored = "resolve.case-ignored"
  case redirectInactiveFound = "redirect.inactive-found"

  // Links
  case linksUnresolvable = "links.unresolvable"
  case linksParametersLost = "links.parameters-lost"
  case linksNeverDeduplicated = "links.never-deduplicated"
  case linksDeadAgain = "links.dead-again"
  case linksCodeReplaced = "links.code-replaced"
  case linksRevokedKeyAccepted = "links.revoked-key-accepted"
  case linksUsersIgnored = "links.users-ignored"
  case linksCodeIgnored = "links.code-ignored"
  case linksCodeOverwritten = "links.code-overwritten"
  case linksCodeUnchecked = "links.code-unchecked"
  case linksKeyInAnyCase = "links.key-in-any-case"
  case linksParametersAlike = "links.parameters-alike"
  case linksFirstTemplateOnly = "links.first-template-only"
  case linksDashboardLosesParameters = "links.dashboard-loses-parameters"

  // Every endpoint
  case rateLimitCoversRedirects = "rate-limit.covers-redirects"

  // Legal variants
  case variantCreated = "answer.status-201"
  case variantUnprocessable = "answer.status-422"
  case variantUpperCaseIDs = "ids.upper-case"
  case variantOrganicDataAbsent = "organic.data-absent"
  case variantAcknowledgementEmpty = "event.acknowledgement-empty"
  case variantReportWindowIgnored = "attribution.report-window-ignored"
  case variantAbsentAsNull = "resolve.absent-as-null"
  case variantDeduplicatedWhenTrue = "links.deduplicated-when-true"
  case variantMethodNotAllowed = "answer.status-405"

  package var isVariant: Bool { Self.variants.contains(self) }

  /// The legal variants. This enum lists them after the defects.
  private static let variants = Set(allCases.drop { $0 != .variantCreated })
}
