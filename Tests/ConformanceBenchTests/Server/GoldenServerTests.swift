import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceBench

/// What a protocol that is data alone answers: the usual response of each exchange, with what the request says in it.
@Suite struct GoldenServerTests {
  /// A request line with its body, and the answer.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var line: String
    var body: JSON = .null
    var status: Int
    var answer: JSON?
  }

  private static let exchanges = [
    Exchange(
      name: "book", text: "A book.", service: Sample.main,
      request: .init(method: "GET", path: template("/books/${id}"), query: ["in": template("${language}")]),
      bindings: ["default": ["language": "en", "title": "A"]],
      responses: [
        "default": [
          .any: .init(
            status: 200, body: .json(template(["id": "${id}", "language": "${language}", "title": "${title}"])))
        ], "accepted": [.any: .init(status: 100)],
      ]),
    Exchange(
      name: "order", text: "An order.", service: Sample.main,
      request: .init(method: "POST", path: template("/orders"), body: template(["copies": "${copies:integer}"])),
      responses: [
        "refused": [.any: .init(status: 422)],
        "taken": [Sample.dialect: .init(status: 201, body: .json(template(["copies": "${copies}"])))],
      ]),
    Exchange(
      name: "shelf", text: "A shelf.", service: Sample.main,
      request: .init(method: "GET", path: template("/shelf")),
      responses: ["other": ["lacking": .init(status: 200)]]),
    Exchange(
      name: "owner", text: "An owner.", service: Sample.main,
      request: .init(method: "GET", path: template("/owner")),
      responses: ["given": [.any: .init(status: 200, body: .json(template(["name": "${name}"])))]]),
  ]

  @Test(arguments: [
    Row(
      testDescription: "the answer 'default', whatever the others are", line: "GET /books/7", status: 200,
      answer: ["id": "7", "language": "en", "title": "A"]),
    Row(
      testDescription: "what the request says wins", line: "GET /books/7?in=de", status: 200,
      answer: ["id": "7", "language": "de", "title": "A"]),
    Row(
      testDescription: "the answer of the lowest status", line: "POST /orders", body: ["copies": 3], status: 201,
      answer: ["copies": 3]),
    Row(
      testDescription: "no exchange: what came nearest", line: "PUT /orders", status: 404,
      answer: ["error": "nearest is order: its method is POST, not PUT"]),
    Row(
      testDescription: "no answer in the dialect", line: "GET /shelf", status: 501,
      answer: ["error": "the exchange 'shelf' has no response in the dialect plain"]),
    Row(testDescription: "a hole without a value", line: "GET /owner", status: 500),
  ])
  func givesTheUsualAnswer(row: Row) throws {
    var server = GoldenServer(Sample.catalogue(Self.exchanges), dialect: Sample.dialect)
    let record = Sample.record(row.line, row.body)
    let response = server.respond(to: record.request, at: Sample.main, now: 0)
    #expect(response.status == row.status)
    let body = try JSON(parsing: response.body)
    if let answer = row.answer {
      #expect(body == answer)
    } else {
      #expect(body["error"]?.string?.contains("'owner'") == true)
    }
  }
}
