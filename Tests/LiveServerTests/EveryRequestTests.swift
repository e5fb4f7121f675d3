import ConformanceJudge
import ConformanceModel
import ConformanceSpec
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

/// Each claim of `requests.yaml` of the shipped protocols can be violated.
@Suite struct EveryRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var exchange: Exchange
    var dialect: Dialect
    var catalogue: Catalogue

    var testDescription: String { "\(catalogue.definition.name) \(exchange.name) \(dialect)" }
  }

  private static func catalogue(_ name: String) async throws -> Catalogue {
    let folder = CatalogueFolder(root: LiveStation.repository)
    return try await CatalogueLoader(folder, schemas: try SchemaSet(folder)).sources(of: name).catalogue
  }

  /// The golden requests with the fields that every client sends.
  private static func requests(of catalogue: Catalogue) -> [(Row, RequestRecord)] {
    catalogue.definition.dialects.flatMap { dialect in
      catalogue.exchanges.compactMap { exchange -> (Row, RequestRecord)? in
        guard let request = exchange.request(in: dialect), let bindings = exchange.bindings(nil),
          var golden = try? request.render(bindings, models: catalogue.models)
        else { return nil }
        golden.headers["User-Agent"] = golden.headers["User-Agent"] ?? "Shop/1.0"
        if !golden.body.isEmpty {
          golden.headers["Content-Type"] = golden.headers["Content-Type"] ?? "application/json"
        }
        let record = RequestRecord(
          connection: 1, line: "\(golden.method) \(golden.target) HTTP/1.1", headers: golden.headers,
          body: .init(golden.body), exchange: exchange.name)
        return (Row(exchange: exchange, dialect: dialect, catalogue: catalogue), record)
      }
    }
  }

  /// Without headers, body and query something is wrong with at least one request for each requirement.
  @Test(arguments: ["linkforty", "mobile-engage", "sentiance"])
  func eachClaimCanBeViolated(name: String) async throws {
    let catalogue = try await Self.catalogue(name)
    let judge = RequestJudge(catalogue: catalogue, checks: [:])
    var violated: Set<RequirementID> = []
    for (row, record) in Self.requests(of: catalogue) {
      var bare = record
      bare.headers = ["X-Emarsys-SDK-Mode": "wrong"]
      bare.line = "\(record.method) \(record.request.path) HTTP/1.1"
      for body in ["{\"wrong\":{}}", "[1]"] {
        bare.body = .init(Array(body.utf8))
        let found = judge.violations(
          of: bare, at: row.exchange.service, in: row.dialect, now: "2026-03-01T09:00:00.000Z")
        violated.formUnion(found.map(\.requirement))
      }
    }
    // The claims of included packs have tests of their own: those of their checks.
    let own = catalogue.everyRequest.map(\.requirement).filter { catalogue.requirement($0)?.basis != .standard }
    #expect(Set(own).subtracting(violated) == [])
  }
}
