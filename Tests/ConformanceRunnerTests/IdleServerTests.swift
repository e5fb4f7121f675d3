import ConformanceModel
import ConformanceProvisioning
import ConformanceVerdict
import ConformanceWire
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import ConformanceRunner
@testable import Proof

@Suite struct IdleServerTests {
  private static let catalogue: Catalogue = {
    var catalogue = Sample.catalogue
    catalogue.definition.values = [.init(name: "apiKey", text: "", capability: "keys")]
    catalogue.exchanges = [
      Exchange(name: "ask", text: "", service: "main", requests: [:], boundHoles: ["session", "id"], responses: [:]),
      Exchange(
        name: "report", text: "", service: "main",
        request: .init(method: "POST", path: Template(.literal("/report"))), responses: [:]),
    ]
    return catalogue
  }()

  private static let lent = Provisioning(
    urls: ["main": "http://127.0.0.1:1"], start: .init(program: []), probe: .init(exchange: "ask", reaches: []),
    values: ["apiKey": "k"],
    answers: ["ask": ["code": JSONPath([.key("body"), .key("auth"), .key("code")]), "id": JSONPath([.key("id")])]])

  /// Without a conforming server to imitate it makes up a value for each name, and a request for each open exchange.
  @Test func whatNobodyLendsIsMadeUp() throws {
    let lent = IdleServer(.null, like: nil, in: Self.catalogue).lent
    #expect(lent.values["apiKey"] == "made-up-apiKey")
    #expect(Set(lent.requests.keys) == ["ask"])
    let request = try #require(lent.requests["ask"]).render(["session": "s"], models: [:])
    #expect(request.method == "POST" && request.target == "/ask")
    #expect(try JSON(parsing: request.body) == ["session": "s"])
  }

  /// It gets the same requests as the conforming server, but it is not started, and it makes no call for the probe.
  @Test func itIsAskedAsAnHonestOne() {
    let lent = IdleServer(.null, like: Self.lent, in: Self.catalogue).lent
    #expect(lent.values == Self.lent.values && lent.answers == Self.lent.answers)
    #expect(lent.start == nil && lent.probe == nil && lent.urls.isEmpty)
  }

  @Test func aLieTellsSomethingWhereverCasesLook() throws {
    guard case .constant(let answer) = IdleServer(.lying, like: Self.lent, in: Self.catalogue).plainBehaviour else {
      Issue.record("it says more than one thing")
      return
    }
    #expect(try JSON(parsing: answer.body) == ["auth": ["code": "constant"], "id": "constant"])
  }

  /// The first successful response of an exchange, with the provisioned values and made-up ones.
  @Test func aCannedServerAnswersWithWhatIsGolden() throws {
    var catalogue = Self.catalogue
    catalogue.exchanges[1].responses = [
      "accepted": [.any: .init(status: 201, body: .json(try Template(["key": "${apiKey}", "id": "${id}"])))],
      "a-refusal": [.any: .init(status: 400)],
    ]
    guard case .model(var model) = IdleServer(.canned, like: Self.lent, in: catalogue).behaviour(in: .any, catalogue)
    else {
      Issue.record("it says the same to everything")
      return
    }
    let answer = model.respond(to: HTTPRequest(method: "POST", target: "/report?x=1"), at: "main", now: 0)
    #expect(answer.status == 201)
    #expect(try JSON(parsing: answer.body) == ["key": "k", "id": "made-up-id"])
    #expect(model.respond(to: HTTPRequest(method: "GET", target: "/report"), at: "main", now: 0).status == 404)
  }

  /// For any request it sends the golden requests to the ports of the case.
  @Test(arguments: [(IdleServer.Kind.canned, true), (.lying, false)])
  func aCannedBackendCallsTheKit(kind: IdleServer.Kind, calls: Bool) async throws {
    let station = try await BeaconStation()
    let server = IdleServer(kind, like: try station.binding, in: station.catalogue)
    let results = try await results(of: server, at: station)
    let requests = results.flatMap(\.transcript.entries).filter {
      if case .request = $0.event { true } else { false }
    }
    #expect(requests.isEmpty != calls)
  }

  /// In the place of Beacon's backend. Every case must detect it.
  @Test(arguments: IdleServer.Kind.allCases)
  func itPassesNothingThatIsRequired(kind: IdleServer.Kind) async throws {
    let station = try await BeaconStation()
    let server = IdleServer(kind, like: try station.binding, in: station.catalogue)
    let verdicts = try await results(of: server, at: station).flatMap(\.settled).map(\.verdict)
    #expect(!verdicts.isEmpty)
    // The canned requests name one keeper, and the case expects none for an unknown one: this requirement is fulfilled.
    let earned = kind == .canned ? ["backend.key@one BC-BCK-001"] : []
    #expect(verdicts.filter { $0.outcome == .conforms }.map { "\($0.instance) \($0.requirement)" } == earned)
  }

  private func results(of server: IdleServer, at station: BeaconStation) async throws -> [CaseResult] {
    let catalogue = station.catalogue
    let testbed = try await Testbed.open(
      "backend", driven: nil,
      called: server.asBackend(of: "backend", named: "idle", kit: "test", in: catalogue), catalogue: catalogue,
      pack: try station.pack, conditions: .init(kit: "test"))
    #expect(testbed.subjects["backend"]?.capabilities.contains("sessions") == true)
    let collector = Collector()
    let plan = try Plan(catalogue: catalogue, selection: Selection(roles: ["backend"], dialects: ["one"]))
    _ = try await testbed.runner(for: plan, by: Settlement(gate: .strict), jobs: 8).run(for: collector)
    await testbed.close()
    return collector.results
  }
}
