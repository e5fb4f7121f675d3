import ReferenceKit

/// The defects and legal variants of the reference SDK.
package enum EngageSwitch: String, SwitchList {
  // Registration
  case registersAtEachStart = "registration.every-start"
  case registersOnce = "registration.never-again"
  case comparesWithoutLanguage = "registration.ignores-language"
  case registeredAtAnyAnswer = "registration.remembered-at-any-answer"
  case registersAtStartsAlone = "registration.not-in-the-foreground"
  case registersAfterLinks = "registration.with-each-sign-in"
  case goesOnWithoutCode = "application.none-accepted"
  case keepsToTheOldCode = "application.old-code"
  case stateGoesAlong = "application.state-goes-along"

  // Client state and headers
  case keepsFirstState = "state.keeps-the-first"
  case forgetsState = "state.forgotten-at-start"
  case decodesState = "state.percent-decoded"
  case looksForExactHeader = "state.header-by-case"
  case noStateFromLinks = "state.not-from-links"
  case noStateFromPushTokens = "state.not-from-push-tokens"
  case noStateFromClearing = "state.not-from-clearing"
  case noStateFromEvents = "state.not-from-events"
  case noStateFromRefreshes = "state.not-from-refreshes"
  case absentStateClears = "state.cleared-by-absence"
  case newClientEachStart = "client-id.new-each-start"
  case orderFalls = "order.falling"
  case ordersOfEachProcess = "order.of-each-process"
  case ordersOfTheClock = "order.of-the-wall-clock"

  // Contacts
  case linksAtEachStart = "anonymous.every-start"
  case linksFirst = "anonymous.before-registration"
  case linksAnyway = "anonymous.switched-off-in-vain"
  case overtakesAnonymousLink = "anonymous.late-answer-wins"
  case forgetsTokens = "tokens.forgotten-at-start"
  case forgetsSignIn = "contact.forgotten-at-start"
  case skipsKnownContact = "contact.skipped-over-starts"
  case comparesValueAlone = "contact.compared-by-value"
  case refusedSignInForgets = "contact.refused-forgets"
  case keepsContactToken = "contact.old-contact-token"
  case keepsRefreshToken = "contact.old-refresh-token"
  case takesNobody = "contact.nobody-accepted"
  case neverSignsOut = "sign-out.never"
  case signsOutInWord = "sign-out.keeps-tokens"

  // Token refresh
  case neverRefreshes = "refresh.never"
  case refreshesEventsAlone = "refresh.events-alone"
  case dropsAfterRefresh = "refresh.not-sent-again"
  case repeatsWithOldToken = "refresh.old-token-again"
  case refreshesOverAndOver = "refresh.over-and-over"
  case refreshesRefreshes = "refresh.of-itself"
  case ignoresRotation = "refresh.ignores-rotation"
  case refreshesWithNothing = "refresh.without-refresh-token"
  case failedRefreshIsFinal = "refresh.failure-is-final"

  // Push token
  case sendsPushTokenAgain = "push.resent-unchanged"
  case forgetsPushToken = "push.forgotten-at-start"
  case firstPushTokenStays = "push.first-one-stays"
  case pushedAtAnyAnswer = "push.remembered-at-any-answer"
  case clearedCountsAsPushed = "push.cleared-counts-as-registered"
  case lowerCasesPushToken = "push.in-small-letters"

  // Events and sessions
  case stampsAtSending = "events.stamped-at-sending"
  case dropsWithoutToken = "events.dropped-before-the-link"
  case namesInSmallLetters = "events.names-in-small-letters"
  case unnamedTaken = "events.unnamed-accepted"
  case firstEventStateStays = "events.first-device-state-stays"
  case launchNeedsInit = "sessions.no-launch-after-failure"
  case oneSessionID = "sessions.one-id-for-all"
  case neverEndsSession = "sessions.never-ended"
  case durationInSeconds = "sessions.duration-in-seconds"
  case sessionOutlivesContact = "sessions.over-contacts"
  case appStartAgain = "sessions.app-start-again"

  // Queue, retry, offline
  case newestFirst = "queue.newest-first"
  case queueInMemory = "queue.in-memory"
  case queueExpires = "queue.expires"
  case refusalEmptiesQueue = "queue.emptied-by-a-refusal"
  case failuresAreFinal = "retry.failures-are-final"
  case refusalsAreRepeated = "retry.refusals-are-repeated"
  case noPause = "retry.without-pause"
  case lostIsFinal = "retry.lost-connection-is-final"
  case waitsForEver = "retry.waits-for-ever"
  case offlineIsDropped = "offline.dropped"

  /// Header names in lower case, as later HTTP libraries write them.
  case variantSmallHeaders = "headers.small"
  /// Bodies are sent in chunks, without a Content-Length.
  case variantChunked = "bodies.chunked"
  /// A separate connection for each request.
  case variantClosedConnections = "connections.closed"
  /// A failed request is repeated after a minute.
  case variantLongPause = "retry.after-a-minute"
  /// A failed request is not repeated by a timer. It is repeated at the next occasion, such as a further call of the
  /// app.
  case variantNoTimer = "retry.without-timer"
  /// If the contact token is known, a registration contains it, too.
  case variantTokenWithRegistration = "registration.with-contact-token"

  package var isVariant: Bool {
    switch self {
    case .variantSmallHeaders, .variantChunked, .variantClosedConnections, .variantLongPause, .variantNoTimer,
      .variantTokenWithRegistration:
      true
    default: false
    }
  }
}
