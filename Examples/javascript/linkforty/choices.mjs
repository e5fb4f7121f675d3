/**
 * What the specification leaves to an SDK. Each choice has the sentence that leaves it open, or says that none decides.
 * An app may set them; the defaults are what this SDK thinks best.
 */
export const DEFAULT_CHOICES = Object.freeze({
  // ----- Requests. No document says how often a request is tried, how long it may take, or what its head looks like.

  /** How often a failed install report or event is tried again at once, by the SDK itself. */
  retries: 0,
  /** The pause before the first retry, in milliseconds; each further pause is twice as long. */
  retryPause: 1000,
  /** Whether links are ordered again after a failure: a second order may make a second link. */
  retryLinks: false,
  /** How long an answer may take, in milliseconds. */
  timeout: 10_000,
  /** How long a link that opened the app waits: "never block the deep link flow on a network call". */
  resolveTimeout: 4000,
  /** Whether connections are kept for further requests. */
  keepAlive: true,
  /** How many events are sent at the same time. */
  eventsAtOnce: Infinity,
  /** How header names are written: `title`, `lower` or `upper`. RFC 9110: "Field names are case-insensitive". */
  headerCase: 'title',
  /** Whether header fields are sent in the opposite order. RFC 9110: the order "is not significant". */
  headersReversed: false,
  /** Whether requests carry no header field that is not needed. */
  headersBare: false,
  /** Whether the content type names the character set. */
  charsetNamed: false,
  /** Whether bodies are sent in chunks, without a length. */
  chunked: false,
  /** Whether the SDK names itself in a header and in the members `sdkName` and `sdkVersion`. */
  namesItself: false,
  /** Whether redirects that keep the method (307, 308) are followed within the server. */
  followsRedirects: false,

  // ----- Configuration and initialisation.

  /** "Initialization must be idempotent or guard against double-init": `throw` or `same`. */
  secondInitialize: 'throw',
  /** Whether initialize() waits for the install report; no document says that it does. */
  waitsForInstall: true,
  /** Whether initialize() tells the app of the install; the document wants a callback and accessors only. */
  tellsInstall: true,
  /** 4xx to the install report: `organic` as for a failure, or `throw`: "Surface the error to the caller". */
  refusedInstall: 'organic',
  /** What becomes of a query or fragment of the base URL, of which no document speaks: `drop` or `refuse`. */
  baseQuery: 'drop',
  /** A window that is no whole number of hours; no document says whether it may be: `refuse` or `accept`. */
  fractionalWindow: 'refuse',
  /** Whether the report names the window when it is the default, which the server knows: the member is not required. */
  defaultWindowSent: true,
  /** Until when a first launch is one: `launch`, to its end, or `initialize`, until that has noted it. */
  firstLaunchLasts: 'launch',
  /** How the platform is spelled: `document` as iOS and Android, or `lower`; examples of later revisions do that. */
  platformSpelling: 'document',

  // ----- Calls before initialize(). "Methods that require initialization must fail clearly": which ones is not said.

  /** handleUrl(): `refuse`, or `hold` the URL until the SDK is initialised. */
  earlyUrl: 'refuse',
  /** flush() and clearQueue(): `refuse`, or `nothing`, as there is nothing that they could lose. */
  earlyQueue: 'refuse',
  /** Accessors: what is `stored`, `null`, or `refuse`. */
  earlyAccess: 'stored',

  // ----- Links.

  /** Whether the SDK listens to the platform: "The SDK may automatically listen via the platform's linking API". */
  listensToPlatform: true,
  /** A link that is handled before any callback is registered: `hold` it for the first one, or `drop`. */
  unheardLink: 'hold',
  /** Links are delivered `at-once` when they are ready, or `in-order`. */
  linkDelivery: 'at-once',
  /** Whether a URL is handed on as the class URL writes it. "Deliver the URL" does not say whether it is a text or a type. */
  urlRewritten: false,
  /** Whether handleUrl() returns at once, and not after the delivery. */
  handleReturnsAtOnce: false,
  /** URLs are taken apart as RFC 3986 has it (`rfc`) or by the platform's class URL, as WHATWG has it (`whatwg`). */
  urlParser: 'rfc',
  /** A plus sign in a query: `literal` as in RFC 3986, or `space` as in HTML forms. */
  plus: 'literal',
  /** Which of several values of one parameter: `first` or `last`. */
  repeated: 'first',
  /** A parameter without an equals sign: `empty` or `drop`. */
  flag: 'empty',
  /** Whether the short code is what stands in the URL, and not what it decodes to. */
  rawShortCode: false,
  /** Three or more path segments: `none` is resolved, the `last` two or the `first` two. */
  manySegments: 'none',
  /** The short code of myapp://product/123: the `last` segment or the `host`. */
  customSchemeCode: 'last',
  /** Whether the server is asked about URLs that differ from the base URL in the scheme alone. */
  schemeMatters: false,
  /** Whether parameters of the URL that the server does not answer are added to its answer. */
  mergesParameters: false,
  /** Whether a resolve request repeats the campaign parameters of the URL. */
  forwardsCampaign: false,
  /** Whether a utm_ parameter beyond the five is dropped, and not a custom parameter. */
  dropsOtherCampaign: false,
  /** The query of a resolve request: `percent` as in RFC 3986 or `form` as URLSearchParams writes it. */
  queryEncoding: 'percent',

  // ----- The link behind the install.

  /** Later launches: `undelivered` links alone, `always`, or `never`. No document says. */
  laterDelivery: 'undelivered',
  /** Whether reset() forgets callbacks: it "returns the SDK to an uninitialized state", and they need none. */
  resetForgetsCallbacks: false,
  /** Whether clearData() forgets callbacks, which are not stored. */
  clearForgetsCallbacks: false,

  // ----- Answers. "This spec defines what each SDK must accomplish, not how."

  /** `loose` takes what it can use; `strict` wants every required member with its type. */
  reading: 'loose',
  /** Whether an answer has to declare itself as JSON. */
  wantsJSONType: false,
  /** The time of the click: `as-sent`, or the same instant in `utc`. */
  clickTime: 'as-sent',
  /** Whether webFallbackUrl and deepLinkParameters are read as webUrl and customParameters. */
  legacyNames: true,
  /** Custom parameters that are no text: `text` or `drop`. The model says map<string, string>. */
  otherParameters: 'text',

  // ----- Events and revenue.

  /** A name of more than 255 letters, which the document does not bound: `send` or `refuse`. */
  longName: 'send',
  /** Timestamps: `milliseconds`, `seconds` or `microseconds`, all of them ISO 8601. */
  timestamps: 'milliseconds',
  /** Whether an event without properties has no eventData. */
  emptyDataLeftOut: false,
  /** Whether events carry a sessionId, a UUID as the shipped server wants it. */
  sessionIds: false,
  /** Whether events carry a number of their own, of which no document speaks. */
  eventNumbers: false,
  /** Whether a network failure is told to the caller although the event is kept: "Queue the event for retry". */
  networkFailureTold: false,
  /** Events without an install id yet: `queue`, `wait` for it, or `refuse` with an error. */
  eventWithoutInstall: 'queue',
  /** An event that the server refuses with 4xx: `drop` it or `queue` it; it is told in any case. */
  refusedEvent: 'drop',
  /** When an event counts as accepted: with the `status`, or with the `whole` answer. */
  acceptedWith: 'status',
  /** Whether a new event waits behind those that are queued. */
  eventsInOrder: false,
  /** Whether an event is stored before it is sent, so that a crash on the way cannot lose it. */
  writesAhead: false,
  /** The name of revenue events; no document says one. */
  revenueName: 'revenue',
  /** Whether a property that is null goes into the data: `sent` or `dropped`. */
  nullProperties: 'sent',
  /** The member for the amount: "amount and currency as distinct fields". `amount`, `revenue` or `both`. */
  amountName: 'amount',
  /** Whose value stands where a further property is called like the amount: `sdk` or `app`. */
  amountCollision: 'sdk',
  /** Negative amounts: `accept` for refunds, or `refuse`. */
  negativeAmount: 'accept',
  /** An empty currency: `accept` or `refuse`. */
  emptyCurrency: 'accept',

  // ----- The queue. "Maximum queue size: 100 events" does not say which goes.

  /** What goes when the queue is full: the `oldest` or the `newest`. */
  overflow: 'oldest',
  /** Whether the caller is told when his event was the one to go. */
  overflowTold: false,
  /** How long after a failure the queue is tried again, in milliseconds; 0 for not at all. */
  queueTimer: 0,
  /** A flush sends one event after the other (`sequence`), or all of them (`together`). */
  flushOrder: 'sequence',
  /** What a manual flush tells: `server` errors, `all` failures, or `nothing`. */
  flushTells: 'server',
  /** Whether the queue is sent after initialize(). "retried when connectivity is restored" */
  flushesAtLaunch: true,
  /** Whether the hint that the device is offline keeps the SDK from trying. */
  trustsNetworkHint: true,

  // ----- Storage.

  /** Changes are written `at-once` or at the end of the `turn`, before anything else happens. */
  writes: 'at-once',
  /** One file for all, or one for each part. */
  filePerPart: false,

  // ----- Link creation and users.

  /** Which fault is told first without initialisation and key: `initialization` or `key`. */
  firstFault: 'initialization',
  /** Whether the slug of the template is sent, which "(for URL construction)" does not need. */
  slugSent: false,
  /** An empty external user id in a call: `override` leaves the order without one; `ignore` takes the one that was set. */
  emptyUser: 'override',

  // ----- Errors. "The mechanism (typed enums, error codes, exceptions) is platform-specific."

  /** Whether a time-out is told as a network failure, and an unreadable answer as a server error. */
  fewErrors: false,
});
