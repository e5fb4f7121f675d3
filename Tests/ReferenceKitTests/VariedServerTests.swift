import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import ReferenceKit

/// Any server model with varied answers.
@Suite struct VariedServerTests {
  /// A server that counts its requests. A command or a provisioned value sets the first count.
  private struct Counter: ServerModel {
    var count = 0
    var switches: Set<DefectID> = []
    var complaint: String? { "the count is \(count)" }
    var isLenient: Bool { true }

    mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
      count += 1
      return .json(200, ["count": .int(count), "switches": .strings(switches.map(\.rawValue))])
    }

    mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
      count = params["to"]?.int ?? 0
      return .result(.string(command))
    }

    mutating func lend(_ values: Bindings) { count = values["count"]?.int ?? 0 }
  }

  private static let request = HTTPRequest(method: "GET", target: "/")

  private let pack = ProtocolPack(
    name: "counter", makeServer: { Counter(switches: $2) }, switches: ["server": ["own"], "sdk": ["other"]])

  private let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "counter", title: "Counter", document: "Counting", revision: "1", services: [],
      roles: [.init(role: "server", ports: Ports(downstream: ["main"]))], dialects: ["any"]),
    requirements: [], positions: [], cases: [], exchanges: [], models: [:], defects: [])

  private func answer(_ switches: Set<DefectID>, in catalogue: Catalogue) throws -> HTTPResponse {
    var server = pack.varying("server", in: catalogue).makeServer("any", 1, switches)
    return server.respond(to: Self.request, at: "main", now: 0)
  }

  @Test func thePackHasEachVariationAsASwitchOfItsServer() {
    let varying = pack.varying("server", in: catalogue)
    let ids = Set(AnswerVariation.Kind.allCases.map(\.id))
    #expect(varying.switches == ["server": ids.union(["own"]), "sdk": ["other"]])
    #expect(Set(varying.variants.map(\.id)) == ids)
    #expect(varying.variants.allSatisfy { $0.side == "server" && $0.because != nil })
  }

  @Test func theServerAnswersInTheFormThatIsSwitchedOnAndHearsOfItsOwnSwitchesAlone() throws {
    let answer = try answer(["own", "answer.lower-case-headers"], in: catalogue)
    #expect(answer.headers.fields.map(\.name) == ["content-type"])
    #expect(try JSON(parsing: answer.body)["switches"] == ["own"])
  }

  /// Where the protocol calls it a defect it is none of the legal variants.
  @Test func anIDThatTheProtocolHasIsItsOwn() throws {
    var catalogue = catalogue
    catalogue.defects = [
      Defect(id: "answer.extra-members", side: "server", breaks: ["AB-CDE-001"], text: "Says more than it may.")
    ]
    let varying = pack.varying("server", in: catalogue)
    #expect(varying.switches["server"]?.contains("answer.extra-members") == false)
    #expect(!varying.variants.contains { $0.id == "answer.extra-members" })
    let body = try JSON(parsing: answer(["answer.extra-members"], in: catalogue).body)
    #expect(body["meta"] == nil && body["switches"] == ["answer.extra-members"])
  }

  @Test func whatIsNoAnswerGoesThrough() {
    var server = VariedServer(Counter(), AnswerVariation([.chunked]))
    #expect(server.perform("set", params: ["to": 4], now: 0) == .result("set"))
    #expect(server.complaint == "the count is 4" && server.isLenient)
    server.lend(["count": 9])
    #expect(server.complaint == "the count is 9")
  }
}
