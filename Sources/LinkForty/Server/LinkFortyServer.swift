import ConformanceModel
import JSONKit
import ReferenceKit

/// The reference server of LinkForty: a state machine without I/O that answers one request at a time.
///
/// It knows the links of ``Seeds``, keeps the clicks, installs and links that requests make, and tells the time by the
/// `now` of each request. Source: the specification's "API Endpoints Reference"; what it leaves open is answered as
/// LinkForty Core does.
package struct LinkFortyServer: ServerModel {
  let dialect: ServerDialect
  let switches: Switches<ServerSwitch>
  /// Whether it answers a request that is not as it must be as if it were: it then refuses only what is not there.
  package let isLenient: Bool
  var random: SeededRandom
  var links: [String: Link]
  /// By id.
  var templates: [String: LinkTemplate]
  var clicks: [Click] = []
  var limiter = RateLimiter()
  /// Of a server that is wrong: the link of the latest install that was attributed.
  var latestData: DeepLinkData?
  /// The ids of the installs that were reported, in lower case.
  var installs: Set<String> = [Seeds.installId]
  /// Milliseconds since 1970, of the request being answered.
  var now = 0

  /// A fresh server whose ids follow from the seed.
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

  /// Core has no simplified endpoint: it belongs to the Cloud, which has none of Core's for operators.
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

  /// `OPTIONS`: tells a browser that pages of every origin may call.
  private func preflight(_ request: HTTPRequest) -> HTTPResponse {
    var headers: HTTPHeaders = ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"]
    headers["Access-Control-Allow-Headers"] = request.headers["Access-Control-Request-Headers"]
    return HTTPResponse(status: 204, headers: headers)
  }

  /// An id as this server spells its ids.
  mutating func makeID() -> String {
    let id = random.uuid()
    return switches.has(.variantUpperCaseIDs) ? id.uppercased() : id
  }

  /// The body of a request, checked by the table.
  func checkedBody(
    _ request: HTTPRequest, _ rules: [FieldRule], failure: String = ""
  ) throws(Refusal) -> JSON.Object {
    if isLenient { return (try? JSON(parsing: request.body))?.object ?? [:] }
    let body = try RequestBody.read(request, in: dialect)
    let issues = rules.issues(in: body)
    guard issues.isEmpty, let object = body.object else { throw .invalid(issues, failure: failure) }
    return object
  }

  /// Refuses a request without an API key in the form that the server hands out (``Seeds/apiKey``).
  func authorize(_ request: HTTPRequest) throws(Refusal) {
    if isLenient { return }
    guard let field = request.headers["Authorization"] else { throw .unauthorized("An API key is required") }
    if switches.has(.linksKeyInAnyCase), field.lowercased() == "bearer \(Seeds.apiKey.lowercased())" { return }
    guard field.hasPrefix("Bearer "), case let key = field.dropFirst(7), key.hasPrefix("lf_"), key.count >= 11,
      key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }),
      key != Seeds.revokedApiKey || switches.has(.linksRevokedKeyAccepted),
      // What merely begins like a known key, or is spelled in other letters, is another one.
      key == Seeds.apiKey || !key.lowercased().hasPrefix(Seeds.apiKey.lowercased())
    else { throw .unauthorized("The API key is not valid") }
  }
}
