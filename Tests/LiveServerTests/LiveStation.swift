import ConformanceModel
import ConformancePack
import ConformanceSpec
import ConformanceTranscript
import ConformanceWire
import Foundation
import HTTPValues
import JSONKit
import LinkForty
import Synchronization
import Testing

@testable import LiveServer

/// A live server of a shipped protocol, and a client of it.
struct LiveStation: Sendable {
  static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardized.path
  static let catalogue = Task {
    let folder = CatalogueFolder(root: repository)
    let loader = CatalogueLoader(folder, schemas: try SchemaSet(folder))
    return try await loader.sources(of: LinkFortyPack.pack.name).catalogue
  }
  static let install = """
    {"userAgent":"Shop/1.0","timezone":"Europe/Berlin","language":"de-DE","screenWidth":1080,"screenHeight":2400,\
    "platform":"Android","platformVersion":"15","appVersion":"1.0"}
    """

  let server: LiveServer
  private let log: Log

  private final class Log: Sendable {
    let entries = Mutex<[LiveEntry]>([])
  }

  /// The entries of requests that have ended.
  var entries: [LiveEntry] { log.entries.withLock(\.self) }

  static func use(_ work: (LiveStation) async throws -> Void) async throws {
    let log = Log()
    let server = try await LiveServer.start(
      await catalogue.value, LinkFortyPack.pack, .init(dialect: "spec"),
      report: { entry in log.entries.withLock { $0.append(entry) } })
    defer { Task { await server.stop() } }
    try await work(LiveStation(server: server, log: log))
  }

  /// Sends a request to the first service; with the token if it is one to the interface.
  func send(
    _ method: String, _ target: String, headers: HTTPHeaders = [:], body: String = ""
  ) async throws -> ResponseRecord {
    let url = try #require(server.urls.sorted { $0.key < $1.key }.first?.value)
    let endpoint = try #require(WireEndpoint(url: url))
    var headers = headers
    if target.hasPrefix("/_conform/"), headers["Conform-Token"] == nil { headers["Conform-Token"] = server.token }
    if !body.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    return try await WireClient(limits: .init(connect: .seconds(30), exchange: .seconds(30))).send(
      HTTPRequest(method: method, target: target, headers: headers, body: Array(body.utf8)), to: endpoint)
  }

  /// The entries that the interface gives for a query.
  func asked(_ query: String = "") async throws -> [JSON] {
    try #require(try await send("GET", "/_conform/requests\(query)").body.json?["requests"]?.array)
  }
}
