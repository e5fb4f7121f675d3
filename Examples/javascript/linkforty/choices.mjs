/**
 * The choices that the specification leaves to an SDK. A comment quotes the sentence that leaves a choice open, or reports
 * that the documents do not decide. An app may set the choices.
 */
export const DEFAULT_CHOICES = Object.freeze({
  // ----- Requests. The documents do not define the number of attempts, the time limits, and the head of a request.

  /** The number of times that the SDK repeats a failed install report or event by itself. */
  retries: 0,
  /** The pause before the first retry, in milliseconds; each further pause is twice as long. */
  retryPause: 1000,
  /** Whether failed requests to create a link are repeated. A repeated request may create a second link. */
  retryLinks: false,
  /** The time limit for an answer, in milliseconds. */
  timeout: 10_000,
  /** The time limit for a link that opened the app: "never block the deep link flow on a network call". */
  resolveTimeout: 4000,
  /** Whether connections are kept for further requests. */
  keepAlive: true,
  /** The largest number of events that are sent at the same time. */
  eventsAtOnce: Infinity,
  /** The case of header names: `title`, `lower` or `upper`. RFC 9110: "Field names are case-insensitive". */
  headerCase: 'title',
  /** Whether header fields are sent in the opposite order. RFC 9110: the order "is not significant". */
  headersReversed: false,
  /** Whether requests contain only necessary header fields. */
  headersBare: false,
  /** Whether the content type names the character set. */
  charsetNamed: false,
  /** Whether bodies are sent in chunks, without a length. */
  chunked: false,
  /** Whether the SDK names itself in a header and in the members `sdkName` and `sdkVersion`. */
  namesItself: false,
  /** Whether redirects that keep the method (307, 308) are followed if they lead to the same server. */
  followsRedirects: false,

  // ----- Configuration and initialisation.

  /** "Initialization must be idempotent or guard against double-init": `throw` or `same`. */
  secondInitialize: 'throw',
  /** Whether initialize() waits for the install report. The documents do not decide. */
  waitsForInstall: true,
  /** Whether initialize() returns the install. The document requires only a callback and accessors. */
  tellsInstall: true,
  /** After a 4xx to the install report: `organic` as after a failure, or `throw`: "Surface the error to the caller". */
  refusedInstall: 'organic',
  /** A query or fragment in the base URL: `drop` or `refuse`. The documents do not decide. */
  baseQuery: 'drop',
  /** An attribution window that is not a whole number of hours: `refuse` or `accept`. The documents do not decide. */
  fractionalWindow: 'refuse',
  /** Whether the report contains the default window. The member is not required, and the server knows the default. */
  defaultWindowSent: true,
  /** The end of a first launch: `launch` for the end of the launch, or `initialize` if initialize() ends it. */
  firstLaunchLasts: 'launch',
  /** The spelling of the platform: `document` for iOS and Android, or `lower` as in examples of later revisions. */
  platformSpelling: 'document',

  // ----- Calls before initialize(). "Methods that require initialization must fail clearly" does not name the methods.

  /** handleUrl(): `refuse`, or `hold` the URL until the SDK is initialised. */
  earlyUrl: 'refuse',
  /** flush() and clearQueue(): `refuse`, or do `nothing`, since they cannot lose data. */
  earlyQueue: 'refuse',
  /** Accessors: return the `stored` value or `null`, or `refuse`. */
  earlyAccess: 'stored',

  // ----- Links.

  /** Whether the SDK listens to the platform: "The SDK may automatically listen via the platform's linking API". */
  listensToPlatform: true,
  /** A link that is handled before a callback is registered: `hold` it for the first callback, or `drop` it. */
  unheardLink: 'hold',
  /** The delivery of links: `at-once` when they are ready, or `in-order`. */
  linkDelivery: 'at-once',
  /** Whether a URL is delivered in the form of the class URL. "Deliver the URL" does not define the form. */
  urlRewritten: false,
  /** Whether handleUrl() returns at once. Otherwise it returns after the delivery. */
  handleReturnsAtOnce: false,
  /** The parser of URLs: by RFC 3986 (`rfc`), or the platform's class URL by WHATWG (`whatwg`). */
  urlParser: 'rfc',
  /** A plus sign in a query: `literal` as in RFC 3986, or `space` as in HTML forms. */
  plus: 'literal',
  /** The value of a repeated parameter: the `first` or the `last`. */
  repeated: 'first',
  /** A parameter without an equals sign: an `empty` value, or `drop` it. */
  flag: 'empty',
  /** Whether the short code is the text in the URL as written. Otherwise it is the decoded text. */
  rawShortCode: false,
  /** The resolved segments of a path with three or more: `none`, the `last` two or the `first` two. */
  manySegments: 'none',
  /** The short code of myapp://product/123: the `last` segment or the `host`. */
  customSchemeCode: 'last',
  /** Whether the scheme must match. Otherwise the server is also asked about URLs with the other scheme. */
  schemeMatters: false,
  /** Whether parameters of the URL are added to the server's answer if the answer does not contain them. */
  mergesParameters: false,
  /** Whether a resolve request repeats the campaign parameters of the URL. */
  forwardsCampaign: false,
  /** Whether a utm_ parameter other than the five is dropped. Otherwise it is a custom parameter. */
  dropsOtherCampaign: false,
  /** The encoding of a resolve request's query: `percent` as in RFC 3986, or `form` as in URLSearchParams. */
  queryEncoding: 'percent',

  // ----- The link behind the install.

  /** Links in later launches: only `undelivered` links, `always`, or `never`. The documents do not decide. */
  laterDelivery: 'undelivered',
  /** Whether reset() removes callbacks. It "returns the SDK to an uninitialized state"; callbacks need no initialisation. */
  resetForgetsCallbacks: false,
  /** Whether clearData() removes callbacks. They are not stored data. */
  clearForgetsCallbacks: false,

  // ----- Answers. "This spec defines what each SDK must accomplish, not how."

  /** `loose` uses all valid members; `strict` requires every required member with its type. */
  reading: 'loose',
  /** Whether an answer must have a JSON content type. */
  wantsJSONType: false,
  /** The time of the click: `as-sent`, or the same instant in `utc`. */
  clickTime: 'as-sent',
  /** Whether webFallbackUrl and deepLinkParameters are read as webUrl and customParameters. */
  legacyNames: true,
  /** Custom parameters that are not texts: convert to `text`, or `drop`. The type in the model is map<string, string>. */
  otherParameters: 'text',

  // ----- Events and revenue.

  /** An event name of more than 255 letters: `send` or `refuse`. The document sets no limit. */
  longName: 'send',
  /** The precision of timestamps: `milliseconds`, `seconds` or `microseconds`. All of them are ISO 8601. */
  timestamps: 'milliseconds',
  /** Whether an event without properties has no eventData. */
  emptyDataLeftOut: false,
  /** Whether events contain a sessionId. It is a UUID, as the shipped server requires. */
  sessionIds: false,
  /** Whether events contain a number, which the documents do not mention. */
  eventNumbers: false,
  /** Whether the caller gets a network failure although the event is queued: "Queue the event for retry". */
  networkFailureTold: false,
  /** Events without an install id yet: `queue`, `wait` for it, or `refuse` with an error. */
  eventWithoutInstall: 'queue',
  /** An event that the server refuses with 4xx: `drop` it or `queue` it. The caller gets the error in both cases. */
  refusedEvent: 'drop',
  /** The time at which an event counts as accepted: when the `status` or the `whole` answer has arrived. */
  acceptedWith: 'status',
  /** Whether a new event waits until the queued events are sent. */
  eventsInOrder: false,
  /** Whether an event is stored before it is sent, so that a crash during the request does not lose it. */
  writesAhead: false,
  /** The name of revenue events. The documents do not define it. */
  revenueName: 'revenue',
  /** Properties with the value null: `sent` or `dropped`. */
  nullProperties: 'sent',
  /** The member for the amount: "amount and currency as distinct fields". `amount`, `revenue` or `both`. */
  amountName: 'amount',
  /** The value if a property has the same name as the amount: the amount of the `sdk`, or the property of the `app`. */
  amountCollision: 'sdk',
  /** Negative amounts: `accept` for refunds, or `refuse`. */
  negativeAmount: 'accept',
  /** An empty currency: `accept` or `refuse`. */
  emptyCurrency: 'accept',

  // ----- The queue. "Maximum queue size: 100 events" does not define which event is dropped.

  /** The event that a full queue drops: the `oldest` or the `newest`. */
  overflow: 'oldest',
  /** Whether the caller gets an error if the new event was dropped. */
  overflowTold: false,
  /** The pause after a failure before the queue is sent again, in milliseconds; 0 for no timer. */
  queueTimer: 0,
  /** The order in a flush: one event after another (`sequence`), or all events at once (`together`). */
  flushOrder: 'sequence',
  /** The errors that flush() reports to the app: `server` errors, `all` failures, or `nothing`. */
  flushTells: 'server',
  /** Whether the queue is sent after initialize(): "retried when connectivity is restored". */
  flushesAtLaunch: true,
  /** Whether the SDK sends no events while the platform reports that the device is offline. */
  trustsNetworkHint: true,

  // ----- Storage.

  /** The time at which changes are written: `at-once`, or at the end of the `turn` of the event loop. */
  writes: 'at-once',
  /** Whether each part has its own file. Otherwise all parts are in one file. */
  filePerPart: false,

  // ----- Link creation and users.

  /** The reported error if both initialisation and key are missing: `initialization` or `key`. */
  firstFault: 'initialization',
  /** Whether the slug of the template is sent. It is needed only "(for URL construction)". */
  slugSent: false,
  /** An empty user id in a call: `override` sends no user id; `ignore` sends the user id that was set before. */
  emptyUser: 'override',

  // ----- Errors. "The mechanism (typed enums, error codes, exceptions) is platform-specific."

  /** Whether a timeout is reported as a network failure, and an unreadable answer as a server error. */
  fewErrors: false,
});
