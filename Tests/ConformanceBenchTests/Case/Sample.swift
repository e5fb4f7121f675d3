import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import ServerRules
import Templates
import Testing

@testable import MockServices

/// A little protocol for the ports of a case: two exchanges, and a server that numbers its answers.
enum Sample {
  static let dialect: Dialect = "plain"
  static let main: ServiceName = "main"
  static let other: ServiceName = "other"

  static let services = [main, other].map { ProtocolDefinition.Service(name: $0, text: "") }
  static let roles: [ProtocolDefinition.RoleDefinition] = [
    .init(role: "sdk", ports: Ports(hasDriver: true, upstream: [main, other])),
    .init(role: "server", ports: Ports(downstream: [main])),
    .init(role: "backend", ports: Ports(upstream: [main], downstream: ["app"])),
  ]
  static let definition = ProtocolDefinition(
    name: "parcel", title: "Parcel", document: "p", revision: "1",
    services: services + [.init(name: "app", text: "")], roles: roles, dialects: [dialect, "lacking"],
    capabilities: [.init(name: "gathering", roles: ["sdk"], isRequired: false, text: "")],
    commands: [
      .init(name: "gather", roles: ["sdk"], text: "", capabilities: ["gathering"], params: [:], result: [:])
    ])

  static func catalogue(_ exchanges: [Exchange] = exchanges) -> Catalogue {
    Catalogue(
      definition: definition, requirements: [], positions: [], cases: [], exchanges: exchanges, models: [:],
      defects: [])
  }

  /// Answers 200 with the number of the request and its target.
  struct Server: ServerModel {
    private var number = 0

    mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
      number += 1
      return .json(200, ["number": .int(number), "target": .string(request.target), "now": .int(now)])
    }
  }

  static let event = Exchange(
    name: "event", text: "An event.", service: main,
    request: .init(
      method: "POST", path: template("/event"), headers: ["X-Key": template("${key}")],
      body: template(["name": "${name}", "note?": "${note}"])),
    bindings: ["other": ["name": "other", "key": "k2"]],
    responses: [
      "stored": [dialect: .init(status: 201, body: .json(template(["id": "${id}"])))],
      "moved": ["any": .init(status: 404)],
    ])

  static let lookup = Exchange(
    name: "lookup", text: "A look-up.", service: main,
    request: .init(method: "GET", path: template("/items/${id}"), query: ["q": template("${q}")]),
    responses: ["found": [dialect: .init(status: 200, body: .json(template(["found": true])))]])

  /// At the other service.
  static let note = Exchange(
    name: "note", text: "A note.", service: other, request: .init(method: "POST", path: template("/notes")),
    responses: ["stored": [.any: .init(status: 202)]])

  static let exchanges = [event, lookup, note]

  static func book(mount: String = "", isLenient: Bool = false) -> ExchangeBook {
    ExchangeBook(
      ExchangeTable(exchanges, dialect: dialect), exchanges: exchanges, mount: mount, isLenient: isLenient)
  }

  static func mock(mount: String = "", dialect: Dialect = dialect, isLenient: Bool = false) -> MockModel {
    MockModel(
      book: book(mount: mount, isLenient: isLenient), catalogue: catalogue(), dialect: dialect, server: Server())
  }

  static func record(_ line: String, _ body: JSON? = nil) -> RequestRecord {
    RequestRecord(
      connection: 1, line: line + " HTTP/1.1", headers: [:], body: Octets(Array((body?.compactText ?? "").utf8)))
  }

  static func event(_ name: String = "e") -> RequestRecord { record("POST /event", ["name": .string(name)]) }
}

/// A template of a test's own spelling.
func template(_ json: JSON) -> Template {
  do {
    return try Template(json)
  } catch {
    Issue.record("not a template: \(error)")
    return Template(.literal(json))
  }
}
