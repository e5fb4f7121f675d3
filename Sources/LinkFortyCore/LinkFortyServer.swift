import ConformanceModel
import ConformancePack
import HTTPValues
import JSONKit
import LinkFortyModel
import ReferenceKit

/// The reference server of LinkForty: a state machine without I/O that answers one request at a time.
///
/// It starts with the links of ``Seeds``. Requests add clicks, installs and links. Its clock is the `now` of each
/// request. Source: the specification's "API Endpoints Reference"; open questions are answered as in LinkForty Core.
package struct LinkFortyServer: ServerModel {
  let dialect: ServerDialect
  let switches: Switches<ServerSwitch>
  /// Whether the server accepts malformed requests. A lenient server rejects only requests for something that does not
  /// exist.
  package let isLenient: Bool
  var random: SeededRandom
  var links: [String: Link]
  /// Templates by id.
  var templates: [String: LinkTemplate]
  var clicks: [Click] = []
  var limiter = RateLimiter()
  /// The link of the latest attributed install; only defects use it.
  var latestData: DeepLinkData?
  /// The ids of reported installs, in lower case.
  var installs: Set<String> = [Seeds.installId]
  /// The time of the current request, in milliseconds since 1970.
  var now = 0

  /// A server in its initial state. The seed determines the ids that it creates.
  package init(
    dialect: ServerDialect, seed: UInt64 = 0, switches: Switches<ServerSwitch> = Switches(), isLenient: Bool = false
  ) {
    self.dialect = dialect
    self.switches = switches
    self.isLenient = isLenient
    random = SeededRandom(seed: seed)
    links = Dictionary(Seeds.links.map { ($0.shortCode, $0) }) { first, _ in first }
    templates = [Seeds.templateId: LinkTemplate(id: Seeds.templateId, slug: Seeds.templateSlug)]
  }

  package mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    self.now = now
    return isLenient ? answer(request) : withinLimit(request) { $0.answer(request) }
  }

  private mutating func answer(_ request: HTTPRequest) -> HTTPResponse {
    do throws(Refusal) {
      guard let route = route(of: request) else { throw Refusal.noRoute }
      return try handle(route, request)
    } catch {
      return refused(error, request)
    }
  }

  /// The route of a request in this dialect; nil if the dialect does not have the route. Core does not have the
  /// simplified endpoint of the Cloud, and the Cloud does not have Core's endpoints for operators.
  private func route(of request: HTTPRequest) -> Route? {
    let route = Route(method: request.method, path: request.path)
    if route == .createLink, dialect.isCore { return nil }
    return route?.isOfCore == true && !dialect.isCore ? nil : route
  }

  private mutating func handle(_ route: Route, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    switch route {
    case .health: health()
    case .install: try install(request)
    case .event: try event(request)
    case .resolve(let slug, let code): try resolve(slug, code, request)
    case .redirect(let slug, let code): try redirect(slug, code, request)
    case .createLink: try createLink(request)
    case .createLinkFromTemplate: try createLinkFromTemplate(request)
    case .links: listLinks()
    case .link(let id): try link(id, request)
    case .templates: try templates(request)
    case .template(let id): try template(id, request)
    case .operation(let isReadiness): operation(isReadiness: isReadiness)
    case .association(let platform): try association(platform)
    case .preflight: preflight(request)
    }
  }

  /// The answer to `OPTIONS`, which allows calls from pages of every origin.
  private func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var headers: HTTPHeaders = ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"]
    headers["Access-Control-Allow-Headers"] = request.headers["Access-Control-Request-Headers"]
    return HTTPResponse(status: 204, headers: headers)
  }

  /// A new id. A variant writes it in capital letters.
  mutating func makeID() -> String {
    let id = random.uuid()
    return switches.has(.variantUpperCaseIDs) ? id.uppercased() : id
  }

  /// Reads the body of a request. Throws if the body violates the rules; `failure` is Core's message if its database
  /// rejects the body.
  func checkedBody(
    _ request: HTTPRequest, _ rules: [FieldRule], failure: String = ""
  ) throws(Refusal) -> JSON.Object {
    if isLenient { return Octets(request.body).toleratedJSON?.object ?? [:] }
    let body = try RequestBody.read(request, in: dialect)
    let issues = rules.issues(in: body)
    guard issues.isEmpty, let object = body.object else { throw .invalid(issues, failure: failure) }
    return object
  }

  /// Throws unless the request has a valid API key. Every key in the form of the server's keys is valid, with two
  /// exceptions: the revoked key, and keys that differ from ``Seeds/apiKey`` only in letter case or by further
  /// characters at the end. A lenient server accepts every request.
  func authorize(_ request: HTTPRequest) throws(Refusal) {
    if isLenient { return }
    guard let field = request.headers["Authorization"] else { throw .unauthorized("An API key is required") }
    if switches.has(.linksKeyInAnyCase), field.lowercased() == "bearer \(Seeds.apiKey.lowercased())" { return }
    guard field.hasPrefix("Bearer "), case let key = field.dropFirst(7), key.hasPrefix("lf_"), key.count >= 11,
      key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }),
      key != Seeds.revokedApiKey || switches.has(.linksRevokedKeyAccepted),
      // A text that begins with the known key, or differs from it only in letter case, is not a valid key.
      key == Seeds.apiKey || !key.lowercased().hasPrefix(Seeds.apiKey.lowercased())
    else { throw .unauthorized("The API key is not valid") }
  }
}
