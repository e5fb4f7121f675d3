import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceBench

/// A little protocol for the ports of a case: two exchanges, and a server that numbers its answers.
enum Sample {
  static let dialect: Dialect = "plain"

  /// Answers 200 with the number of the request and its target.
  struct Server: ServerModel {
    private var number = 0

    mutating func respond(to request: HTTPRequest, now: Int) -> HTTPResponse {
      number += 1
      return .json(200, ["number": .int(number), "target": .string(request.target), "now": .int(now)])
    }
  }

  static let event = Exchange(
    name: "event", text: "An event.",
    request: .init(
      method: "POST", path: template("/event"), headers: ["X-Key": template("${key}")],
      body: template(["name": "${name}", "note?": "${note}"])),
    bindings: ["other": ["name": "other", "key": "k2"]],
    responses: [
      "stored": [dialect: .init(status: 201, body: .json(template(["id": "${id}"])))],
      "moved": ["any": .init(status: 404)],
    ])

  static let lookup = Exchange(
    name: "lookup", text: "A look-up.",
    request: .init(method: "GET", path: template("/items/${id}"), query: ["q": template("${q}")]),
    responses: ["found": [dialect: .init(status: 200, body: .json(template(["found": true])))]])

  static let exchanges = [event, lookup]

  static func upstream(mount: String = "") -> UpstreamModel {
    UpstreamModel(
      book: ExchangeBook(exchanges: exchanges, mount: mount), dialect: dialect, models: [:], server: Server())
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
