import ConformanceModel
import ConformancePack
import ConformanceSpec
import ConformanceWire
import JSONKit
import Testing

@testable import Subjects

/// A platform that is data has room for the devices of a customer, and takes what they ask at once one after the other.
@Suite struct PlatformScaleTests {
  private static let installs = 50_000
  private static let links = 1_000

  /// Each request has a connection of its own, so that all of them wait at the platform's door together.
  @Test func aThousandLinksAtOnceMakeOneUser() async throws {
    let loader = CatalogueLoader(
      CatalogueFolder(root: BeaconStation.repository), schemas: try BeaconStation.schemas.get())
    let catalogue = try await loader.sources(of: "sentiance").catalogue
    let pack = try #require(ProtocolPack(dataOf: catalogue))
    var platform = pack.makeServer("v2", 1, [])
    let params: JSON.Object = ["linking": true, "formFactor": "phone", "app": "own"]
    let installs = try (0..<Self.installs).map { _ in
      guard case .result(let install) = platform.perform("createInstall", params: params, now: 0),
        let id = install["installId"]?.string
      else { throw NoInstall() }
      return id
    }
    #expect(Set(installs).count == Self.installs)
    let server = try await EmbeddedServer.start(.model(platform), services: ["platform"])
    // A phone that is linked takes the place of the one before it, so each is answered with the one user.
    let users = try await withThrowingTaskGroup(of: String?.self) { group in
      for install in installs.prefix(Self.links) {
        group.addTask { try await Self.link(install, to: "everybody", at: server, catalogue, pack) }
      }
      return try await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(users.count == Self.links && Set(users).count == 1 && users.first != .some(nil), "\(Set(users))")
    let last = try await Self.link(installs[Self.installs - 1], to: "somebody else", at: server, catalogue, pack)
    #expect(last != nil && !users.contains(last))
    await server.stop()
  }

  /// The user that an install belongs to once it is linked; nil when it was refused.
  private static func link(
    _ install: String, to person: String, at server: EmbeddedServer, _ catalogue: Catalogue, _ pack: ProtocolPack
  ) async throws -> String? {
    let exchange = try #require(catalogue.exchange("link"))
    let bindings = try #require(exchange.bindings(nil)).merging([
      "key": pack.serverProvision.values["apiKey"] ?? "", "installId": .string(install), "externalId": .string(person),
    ])
    let request = try #require(exchange.request(in: "v2")).render(bindings, models: catalogue.models)
    let url = try #require(server.urls["platform"])
    let endpoint = try #require(WireEndpoint(url: url))
    // Those that come last wait for the others' answers.
    let client = WireClient(limits: .init(connect: .seconds(60), exchange: .seconds(60)))
    return try await client.send(request, to: endpoint).view["body"]?["id"]?.string
  }

  private struct NoInstall: Error {}
}
