import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Processes
import Subjects
import Templates
import TextKit

/// The page and the interface for programs of a live server.
///
/// Every call of the interface needs the token. The page itself contains no data of the server, so a browser can load
/// it without the token. A request is refused if a page of another origin sent it, or if its Host field does not
/// contain a name of the server.
struct LiveInterface: Sendable {
  /// The path of the page. The calls of the interface are below this path.
  static let path = EmbeddedServer.controlPath
  /// The header field of the token.
  static let tokenField = "Conform-Token"

  private let desk: LiveDesk
  private let token: String
  private let names: Set<String>
  private let page: HTTPResponse

  /// - Parameter host: the address that the server listens on.
  init(desk: LiveDesk, token: String, host: String) {
    (self.desk, self.token) = (desk, token)
    let outer = MachineAddresses.isWildcard(host) ? MachineAddresses.all : []
    names = Set(["127.0.0.1", "::1", "localhost", host] + outer)
    page = Self.page(.randomDigits(32))
  }

  /// The reply to a request below ``path``, or to the preflight request of an app that runs in a browser. The journal
  /// does not show these requests. nil for a request of the protocol or of an operator.
  func reply(to record: RequestRecord) -> WireReply? {
    if record.request.path == Self.path.dropLast() {
      return Self.reply(HTTPResponse(status: 308, headers: ["Location": Self.path]), to: record)
    }
    guard record.request.path.hasPrefix(Self.path) else { return WireReply(preflight: record, at: .now) }
    return answer(to: record).map { Self.reply($0, to: record) }
  }

  /// A reply that the journal does not show.
  private static func reply(_ answer: HTTPResponse, to record: RequestRecord) -> WireReply {
    var reply = WireReply(response: answer, to: record, at: .now)
    (reply.request, reply.response) = (.unnoted, nil)
    return reply
  }

  /// The answer to a request below the path; nil for a command of an operator.
  private func answer(to record: RequestRecord) -> HTTPResponse? {
    let request = record.request
    let name = String(request.path.dropFirst(Self.path.count))
    guard ["", "requests", "server"].contains(name) else { return nil }
    if let refusal = refusal(of: record) { return refusal }
    if name.isEmpty { return request.method == "GET" ? page : Self.refusal(of: request.method, allowing: "GET") }
    guard record.headers[Self.tokenField] == token else {
      return Self.refusal(403, "the field '\(Self.tokenField)' must have the token that 'conform serve' has printed")
    }
    switch (name, request.method) {
    case ("requests", "GET"): return requests(request)
    case ("requests", "DELETE"):
      desk.journal.clear()
      return HTTPResponse(status: 204)
    case ("server", "GET"): return .json(200, settings)
    case ("server", "PATCH"): return change(record)
    default: return Self.refusal(of: request.method, allowing: name == "server" ? "GET, PATCH" : "DELETE, GET")
    }
  }

  private func requests(_ request: HTTPRequest) -> HTTPResponse {
    do throws(LiveFilter.Problem) {
      let entries = desk.journal.entries(
        try LiveFilter(request.queryItems, exchanges: desk.catalogue.exchanges.map(\.name)))
      return .json(
        200,
        [
          "count": .int(desk.journal.count), "open": .int(desk.openCount),
          "requests": .array(entries.map { $0.representation(desk.catalogue) }),
        ])
    } catch { return Self.refusal(400, error.text) }
  }

  /// The dialect and the fault of the server, and the dialects and faults that can be set.
  private var settings: JSON {
    let definition = desk.catalogue.definition
    return [
      "title": .string(definition.title), "dialect": .string(desk.dialect.rawValue),
      "dialects": .array(definition.dialects.map { .string($0.rawValue) }),
      "fault": desk.fault.map { .string($0.rawValue) } ?? .null,
      "faults": .array(LiveFault.allCases.map { ["name": .string($0.rawValue), "text": .string($0.text)] }),
    ]
  }

  /// Changes the server by the members of the body: `dialect` resets the server to a dialect, `fault` sets a fault or
  /// ends it (null), and `reset: true` resets the server.
  private func change(_ record: RequestRecord) -> HTTPResponse {
    guard let wanted = record.body.json?.object else {
      return Self.refusal(400, "expected a JSON object with 'dialect', 'fault' or 'reset'")
    }
    let dialects = desk.catalogue.definition.dialects
    if let unknown = wanted.members.map(\.key).first(where: { !["dialect", "fault", "reset"].contains($0) }) {
      return Self.refusal(400, "unknown setting '\(unknown)'; expected dialect, fault or reset")
    }
    let dialect = wanted["dialect"].map { value in dialects.first { value == .string($0.rawValue) } }
    if dialect == .some(nil) {
      return Self.refusal(400, "unknown dialect; expected one of \(dialects.map(\.rawValue).joined(separator: ", "))")
    }
    let fault = wanted["fault"].map { value in LiveFault.allCases.first { value == .string($0.rawValue) } }
    if fault == .some(nil), wanted["fault"] != .null {
      return Self.refusal(
        400, "unknown fault; expected one of \(LiveFault.allCases.map(\.rawValue).joined(separator: ", ")), or null")
    }
    if let fault { desk.setFault(fault) }
    if let dialect, let dialect {
      desk.reset(to: dialect)
    } else if wanted["reset"] == true {
      desk.reset(to: desk.dialect)
    }
    return .json(200, settings)
  }
}

extension LiveInterface {
  /// The answer that refuses a request if a page of another origin sent it, or if its Host field does not contain a
  /// name of this server (DNS rebinding). nil for any other request.
  private func refusal(of record: RequestRecord) -> HTTPResponse? {
    let host = record.headers["Host"] ?? ""
    guard names.contains(Self.name(in: host)) else {
      return Self.refusal(
        403, "this page is at \(names.sorted().joined(separator: ", ")), not at '\(host.visibleOnOneLine)'")
    }
    if let origin = record.headers["Origin"], origin != "http://\(host)" {
      return Self.refusal(403, "pages of '\(origin.visibleOnOneLine)' may not ask this")
    }
    return nil
  }

  /// The name or address in a `Host` header field, without the port.
  private static func name(in host: String) -> String {
    let host = host.lowercased()
    return host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : String(host.prefix { $0 != ":" })
  }

  private static func refusal(of method: String, allowing allowed: String) -> HTTPResponse {
    var refusal = refusal(405, "'\(method.visibleOnOneLine)' is not allowed here, only \(allowed)")
    refusal.headers["Allow"] = allowed
    return refusal
  }

  private static func refusal(_ status: Int, _ message: String) -> HTTPResponse {
    .json(status, ["error": .string(message)])
  }

  /// The page with its style and its script. Its security policy forbids the page to load other files, and to send
  /// requests to other servers.
  private static func page(_ nonce: String) -> HTTPResponse {
    var page = String(decoding: PackageResources.live_html, as: UTF8.self).replacing("{{nonce}}", with: nonce)
    for (mark, bytes) in [("{{style}}", PackageResources.live_css), ("{{script}}", PackageResources.live_js)] {
      page = page.replacing(mark, with: String(decoding: bytes, as: UTF8.self))
    }
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Content-Security-Policy": policy,
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
      ], body: Array(page.utf8))
  }
}
