import ConformanceModel
import Foundation
import Testing

@testable import ReferenceKit

/// Where reference peers have their methods and paths from.
@Suite final class GoldenRequestsTests {
  private enum Exchange: String, ExchangeList {
    case report, ask
    static let protocolName = "parcel"
  }

  private let root = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)")

  init() throws {
    try write("report", #"{ "request": { "method": "PUT", "path": "/a/${app}/${id}" } }"#)
    try write(
      "ask",
      #"{ "request": { "one": { "method": "GET", "path": "/v1" }, "any": { "method": "GET", "path": "/v2/${id}" } } }"#)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  private func write(_ name: String, _ text: String) throws {
    let folder = root.appending(path: "Fixtures/parcel/exchanges")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "\(name).json"))
  }

  @Test func fillsHolesAsSegments() throws {
    let golden = try GoldenRequests<Exchange>(root: root.path)
    let line = golden.line(of: .report, ["app": "a/b c", "id": "ü"])
    #expect(line.method == "PUT")
    #expect(line.path == "/a/a%2Fb%20c/%C3%BC")
    #expect(golden.line(of: .report, ["app": "a", "id": "/"], encoding: { $0 }).path == "/a/a//")
  }

  @Test(arguments: [("one", "/v1"), ("two", "/v2/7")] as [(Dialect, String)])
  func takesTheLineOfTheDialect(dialect: Dialect, path: String) throws {
    #expect(try GoldenRequests<Exchange>(root: root.path).line(of: .ask, in: dialect, ["id": "7"]).path == path)
  }

  @Test(
    arguments: [
      (nil, "expected the exchange 'ask'"), ("{", "expected the exchange 'ask'"),
      (#"{ "request": { "path": "/v1" } }"#, "$.request: expected method and path"), ("{}", "found none"),
    ] as [(String?, String)])
  func namesWhatIsMissing(text: String?, complaint: String) throws {
    if let text {
      try write("ask", text)
    } else {
      try FileManager.default.removeItem(at: root.appending(path: "Fixtures/parcel/exchanges/ask.json"))
    }
    let problem = #expect(throws: GoldenRequests<Exchange>.Problem.self) {
      try GoldenRequests<Exchange>(root: root.path).lines(of: .ask)
    }
    #expect(problem?.description.contains("Fixtures/parcel/exchanges/ask.json") == true)
    #expect(problem?.description.contains(complaint) == true)
  }

  /// Not only when it is asked for.
  @Test func aFileThatIsMissingIsToldAtTheStart() throws {
    try FileManager.default.removeItem(at: root.appending(path: "Fixtures/parcel/exchanges/report.json"))
    #expect(throws: GoldenRequests<Exchange>.Problem.self) { try GoldenRequests<Exchange>(root: root.path) }
  }
}
