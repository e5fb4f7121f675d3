import ReferenceKit

/// The defects and legal variants of the reference SDK.
package enum SDKSwitch: String, SwitchList {
  // Initialization
  case initTrafficBeforeValidation = "init.traffic-before-validation"
  case initRejectionSticks = "init.rejection-sticks"
  case initSecondInstall = "init.second-install"
  case initOverlapUnguarded = "init.overlap-unguarded"
  case initReconfigures = "init.reconfigures"
  case initHangsWithServer = "init.hangs-with-server"
  case initEventsIgnored = "init.events-ignored"
  case installAgainOnRelaunch = "install.again-on-relaunch"
  case launchForgetsInstall = "launch.forgets-install"
  case launchNeedsServer = "launch.needs-server"
  case eventBeforeInitSilent = "event.before-init-silent"
  case revenueBeforeInitSilent = "revenue.before-init-silent"
  case linkBeforeInitInvented = "link.before-init-invented"
  case urlBeforeInitLost = "url.before-init-lost"
  case resolveAtLinkHost = "resolve.at-link-host"

  // Deferred deep linking
  case installIDNotKept = "install.id-not-kept"
  case installIDLowercased = "install.id-lowercased"
  case deferredNullNotDelivered = "deferred.null-not-delivered"
  case deferredEmptyNotDelivered = "deferred.empty-not-delivered"
  case deferredMissingNotDelivered = "deferred.missing-not-delivered"
  case deferredEarlyLost = "deferred.early-lost"
  case deferredLateLost = "deferred.late-lost"
  case deferredLateNullLost = "deferred.late-null-lost"
  case installFailureFatal = "install.failure-fatal"
  case installServerErrorFatal = "install.server-error-fatal"
  case installClientErrorSilent = "install.client-error-silent"
  case installGarbageAccepted = "install.garbage-accepted"
  case installNeedsLink = "install.needs-link"
  case deferredOrganicData = "deferred.organic-data"
  case installStrictMembers = "install.strict-members"
  case deferredNullMembersFatal = "deferred.null-members-fatal"
  case installNeverAgain = "install.never-again"

  // Direct deep linking and resolution
  case resolveSlugDropped = "resolve.slug-dropped"
  case resolveNoFallback = "resolve.no-fallback"
  case resolveMerges = "resolve.merges"
  case resolveEmptyAccepted = "resolve.empty-accepted"
  case resolveHostByPrefix = "resolve.host-by-prefix"
  case urlWaitsForServer = "url.waits-for-server"
  case urlSecondCallbackMissed = "url.second-callback-missed"
  case urlWithoutCodeIgnored = "url.without-code-ignored"
  case urlQueryNotDecoded = "url.query-not-decoded"
  case urlCampaignInCustom = "url.campaign-in-custom"

  // Direct deep linking: what is read from the URL
  case urlCodeLowerCased = "url.code-lower-cased"
  case urlFirstSegmentIsCode = "url.first-segment-is-code"
  case urlThreeCampaignParameters = "url.three-campaign-parameters"
  case urlNamesNotDecoded = "url.names-not-decoded"
  case urlFragmentRead = "url.fragment-read"
  case urlTrailingSlashCounts = "url.trailing-slash-counts"
  case urlBadEscapeLost = "url.bad-escape-lost"
  case urlBadEscapeUnresolved = "url.bad-escape-unresolved"
  case urlAppSchemeUnread = "url.app-scheme-unread"

  // Direct deep linking: whom it reaches
  case urlCutAtQuery = "url.cut-at-query"
  case urlEarlyLost = "url.early-lost"
  case urlPlatformOnly = "url.platform-only"
  case urlMixedUp = "url.mixed-up"
  case urlLastWins = "url.last-wins"
  case urlFailureSilent = "url.failure-silent"

  // Resolution: the question
  case resolveSlugLast = "resolve.slug-last"
  case resolveCodeAsQuery = "resolve.code-as-query"
  case resolveQueryRaw = "resolve.query-raw"
  case resolvePathRaw = "resolve.path-raw"
  case resolvePerCallback = "resolve.per-callback"
  case resolveOtherHosts = "resolve.other-hosts"
  case resolveWithoutCode = "resolve.without-code"
  case resolveBasePathInLink = "resolve.base-path-in-link"
  case resolveFragmentSent = "resolve.fragment-sent"
  case resolveCampaignSent = "resolve.campaign-sent"

  // Resolution: the answer, or none
  case resolveURLWins = "resolve.url-wins"
  case resolveStatusIgnored = "resolve.status-ignored"
  case resolveServerErrorNull = "resolve.server-error-null"
  case resolveNetworkNull = "resolve.network-null"
  case resolveGarbageNull = "resolve.garbage-null"
  case resolveTextOnly = "resolve.text-only"
  case resolveNullMembersFatal = "resolve.null-members-fatal"
  case resolvePatient = "resolve.patient"
  case resolveWaitsAMinute = "resolve.waits-a-minute"
  case resolveRetries = "resolve.retries"

  // Events and revenue
  case eventNeedsSuccessMember = "event.needs-success-member"
  case revenueNeverQueued = "revenue.never-queued"

  // Events: what is sent
  case eventIDPerLaunch = "event.install-id-per-launch"
  case eventIDRemembered = "event.install-id-remembered"
  case eventNameCut = "event.name-cut"
  case eventNumbersSingle = "event.numbers-single-precision"
  case eventASCIIOnly = "event.ascii-only"
  case eventLocalTimeAsUTC = "event.local-time-as-utc"
  case eventTimestampReused = "event.timestamp-reused"

  // Events: what becomes of them
  case eventCreatedFails = "event.created-fails"
  case eventBlankNameSent = "event.blank-name-sent"
  case eventOverlapDropped = "event.overlap-dropped"
  case eventServerFailureHidden = "event.server-failure-hidden"
  case eventOnlyLastKept = "event.only-last-kept"
  case eventHomelessLost = "event.homeless-lost"

  // Revenue
  case revenueOneMember = "revenue.one-member"
  case revenueNullAmount = "revenue.null-amount"
  case revenuePropertiesNested = "revenue.properties-nested"
  case revenuePropertiesDropped = "revenue.properties-dropped"

  // Links: what is sent
  case linkEmptyKeySent = "link.empty-key-sent"
  case linkTitleRequired = "link.title-required"

  // Links: what comes back
  case linkURLRebuilt = "link.url-rebuilt"
  case linkURLWithoutSlug = "link.url-without-slug"
  case linkURLDoubleSlash = "link.url-double-slash"
  case linkURLWithoutPrefix = "link.url-without-prefix"
  case linkRowUnread = "link.row-unread"
  case linkStatusUnread = "link.status-unread"
  case linkThrottleHidden = "link.throttle-hidden"
  case linkInventedOffline = "link.invented-offline"

  // Links and user identity
  case linkWithoutKey = "link.without-key"
  case linkPartialResult = "link.partial-result"
  case linkCached = "link.cached"
  case userIDPersisted = "user-id.persisted"
  case userIDLostAtInit = "user-id.lost-at-init"
  case userIDSurvivesClear = "user-id.survives-clear"
  case userIDSurvivesReset = "user-id.survives-reset"

  case userIDStoredAtExit = "user-id.stored-at-exit"
  case userIDOnlyUUID = "user-id.only-uuid"
  case userIDCut = "user-id.cut"
  case userIDTrimmed = "user-id.trimmed"
  case userIDEmptyRefused = "user-id.empty-refused"
  case userIDNullIgnored = "user-id.null-ignored"
  case userIDNullKeptForLinks = "user-id.null-kept-for-links"
  case userIDOverrideSticks = "user-id.override-sticks"
  case userIDNeedsInit = "user-id.needs-init"
  case userIDLogged = "user-id.logged"

  // Data access and management
  case installIDOrganicHidden = "install-id.organic-hidden"
  case installDataMemoryOnly = "install-data.memory-only"
  case firstLaunchHidden = "first-launch.hidden"
  case firstLaunchStoredAtExit = "first-launch.stored-at-exit"
  case clearDataKeepsLink = "clear-data.keeps-link"
  case clearDataKeepsQueue = "clear-data.keeps-queue"
  case clearDataKeepsInstallFile = "clear-data.keeps-install-file"
  case clearDataTellsServer = "clear-data.tells-server"
  case clearDataNamesOldInstall = "clear-data.names-old-install"
  case clearDataOnce = "clear-data.once"
  case clearDataRequeues = "clear-data.requeues"
  case clearDataBeforeInitSilent = "clear-data.before-init-silent"
  case clearDataLosesLaterEvents = "clear-data.loses-later-events"
  case resetKeepsServer = "reset.keeps-server"
  case resetKeepsKey = "reset.keeps-key"
  case resetForgetsInstall = "reset.forgets-install"
  case resetEmptiesQueue = "reset.empties-queue"
  case resetTellsServer = "reset.tells-server"
  case resetKeepsSending = "reset.keeps-sending"
  case resetKeepsCallbacks = "reset.keeps-callbacks"
  case resetKeepsListening = "reset.keeps-listening"
  case getterAsksServer = "getter.asks-server"
  case clearDataKeepsInstall = "clear-data.keeps-install"
  case clearDataKeepsQueueFile = "clear-data.keeps-queue-file"
  case clearDataKeepsFirstLaunch = "clear-data.keeps-first-launch"
  case clearDataResurrects = "clear-data.resurrects"
  case resetClearsData = "reset.clears-data"
  case resetStaysInitialized = "reset.stays-initialized"
  case installDataCorruptFatal = "install-data.corrupt-fatal"

  // Every request
  case apiKeyRemembered = "api-key.remembered"
  case requestASCIIOnly = "request.ascii-only"
  case requestLatin1 = "request.latin-1"
  case requestUndocumentedPath = "request.undocumented-path"

  // Configuration
  case baseURLHTTPAnyHost = "base-url.http-any-host"
  case baseURLLocalhostPrefix = "base-url.localhost-prefix"
  case baseURLUserInfo = "base-url.userinfo"
  case baseURLLocalhostRefused = "base-url.localhost-refused"
  case baseURLLoopbackRefused = "base-url.loopback-refused"
  case baseURLHTTPSRefused = "base-url.https-refused"
  case baseURLCaseSensitive = "base-url.case-sensitive"
  case baseURLAnyScheme = "base-url.any-scheme"
  case baseURLEmptyAccepted = "base-url.empty-accepted"
  case baseURLMalformedAccepted = "base-url.malformed-accepted"
  case baseURLDoubleSlash = "base-url.double-slash"
  case baseURLPrefixDropped = "base-url.prefix-dropped"
  case windowZeroAllowed = "window.zero-allowed"
  case windowOneRefused = "window.one-refused"
  case window2160Refused = "window.2160-refused"
  case window2161Allowed = "window.2161-allowed"
  case windowNegativeAllowed = "window.negative-allowed"
  case windowFractionTruncated = "window.fraction-truncated"
  case debugAlwaysOn = "debug.always-on"
  case debugShowsKey = "debug.shows-key"

  // Errors
  case errorWedges = "error.wedges"
  case crashOnAnswer = "crash.on-answer"
  case crashOnFailure = "crash.on-failure"
  case crashOnInput = "crash.on-input"

  // Offline resilience
  case queueNothingKept = "queue.nothing-kept"
  case queueLosesOn5xx = "queue.loses-on-5xx"
  case queueLosesOnTimeout = "queue.loses-on-timeout"
  case queueSizeBeforeInit = "queue.size-before-init"
  case queueHolds99 = "queue.holds-99"
  case queueHolds101 = "queue.holds-101"
  case queueMemoryOnly = "queue.memory-only"
  case queueStoredAtExit = "queue.stored-at-exit"
  case queueLimitForgotten = "queue.limit-forgotten"
  case queueCorruptFatal = "queue.corrupt-fatal"
  case queueForgetsProperties = "queue.forgets-properties"
  case flushNothing = "flush.nothing"
  case flushOne = "flush.one"
  case flushLIFO = "flush.lifo"
  case flushDropsFailed = "flush.drops-failed"
  case flushDuplicates = "flush.duplicates"
  case flushEmptiesOffline = "flush.empties-offline"
  case flushUnguarded = "flush.unguarded"
  case flushPoisonBlocks = "flush.poison-blocks"
  case flushEmptyFails = "flush.empty-fails"
  case flushEmptyPings = "flush.empty-pings"
  case flushTimestampRenewed = "flush.timestamp-renewed"
  case clearQueueSends = "clear-queue.sends"
  case clearQueueMemoryOnly = "clear-queue.memory-only"
  case retryNever = "retry.never"

  // Legal variants
  case variantReversedHeaders = "request.reversed-headers"
  case variantChunkedBody = "request.chunked-body"
  case variantExtraMembers = "request.extra-members"
  case variantReversedMembers = "request.reversed-members"
  case variantPlatformLowerCase = "platform.lower-case"
  case variantMicroseconds = "timestamp.microseconds"
  case variantWholeSeconds = "timestamp.whole-seconds"
  case variantQueuedIsError = "event.queued-is-error"
  case variantRefusedIsQueued = "event.refused-is-queued"
  case variantRevenueName = "revenue.amount-named-revenue"
  case variantSecondInitWarns = "init.second-warns"
  case variantFlushBeforeInit = "flush.before-init-harmless"
  case variantDropsOldest = "queue.drops-oldest"
  case variantRetryOnNextEvent = "retry.only-next-event"
  case variantRetryOnNextLaunch = "retry.only-next-launch"
  case variantFirstLaunchEnds = "first-launch.ends-with-init"
  case variantDeferredOnce = "deferred.first-launch-only"
  case variantWindowOmitted = "window.default-omitted"
  case variantLinkNullMembers = "url.null-members"
  case variantLinkReplyLate = "url.reply-when-delivered"
  case variantResolveOneAtATime = "resolve.one-at-a-time"
  case variantResolveTriesTwice = "resolve.tries-twice"
  case variantResolvePlusForSpace = "resolve.plus-for-space"
  case variantEmptyUserIsNone = "user-id.empty-is-none"
  case variantAccessorsBeforeInit = "accessors.before-init-null"
  case variantClearNeedsInit = "clear-data.before-init-error"
  case variantClearEndsInit = "clear-data.ends-initialization"
  case variantClearDropsCallbacks = "clear-data.drops-callbacks"

  // Legal variants of events and links
  case variantEmptyDataOmitted = "event.empty-data-omitted"
  case variantEventStamped = "event.stamped"
  case variantRevenueBothNames = "revenue.both-names"
  case variantSlugSent = "link.slug-sent"
  case variantUnsaidIsFalse = "link.unsaid-is-false"
  case variantLinkRetried = "link.retried"

  // Legal variants of patience
  case variantBacksOff = "retry.backs-off"
  case variantWaitsLong = "request.half-minute"
  case variantEarlyRefused = "calls.early-refused"

  package var isVariant: Bool {
    switch self {
    case .variantReversedHeaders, .variantChunkedBody, .variantExtraMembers, .variantReversedMembers,
      .variantPlatformLowerCase, .variantMicroseconds, .variantWholeSeconds, .variantQueuedIsError,
      .variantRefusedIsQueued, .variantRevenueName, .variantSecondInitWarns, .variantFlushBeforeInit,
      .variantDropsOldest, .variantRetryOnNextEvent, .variantRetryOnNextLaunch, .variantFirstLaunchEnds,
      .variantDeferredOnce, .variantWindowOmitted, .variantLinkNullMembers, .variantLinkReplyLate,
      .variantResolveOneAtATime, .variantResolveTriesTwice, .variantResolvePlusForSpace:
      true
    case .variantEmptyDataOmitted, .variantEventStamped, .variantRevenueBothNames, .variantSlugSent,
      .variantUnsaidIsFalse, .variantLinkRetried, .variantEmptyUserIsNone, .variantAccessorsBeforeInit,
      .variantClearNeedsInit, .variantClearEndsInit, .variantClearDropsCallbacks:
      true
    case .variantBacksOff, .variantWaitsLong, .variantEarlyRefused: true
    default: false
    }
  }
}
