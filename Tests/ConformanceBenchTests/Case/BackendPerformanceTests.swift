import ConformanceModel
import ConformanceWire
import JSONKit
import Testing

@testable import ConformanceBench

/// A backend in the middle: called by the kit, and calling what the kit plays.
@Suite struct BackendPerformanceTests {
  /// Passes each question on as an event, and tells the number of the answer.
  private static let backend = """
    import http.server, json, os, sys, urllib.request
    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self, value):
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def do_GET(self): self.answer({})
        def do_POST(self):
            body = json.dumps({"name": self.headers["X-Name"]}).encode()
            request = urllib.request.Request(os.environ["MAIN_URL"] + "/event", body, {"X-Key": os.environ["KEY"]})
            with urllib.request.urlopen(request) as response: self.answer({"seen": json.load(response)["number"]})
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()

    """

  private static let ask = Exchange(
    name: "ask", text: "", service: "app", requests: [:], boundHoles: ["name"], capability: nil)

  @Test func aCaseSeesBothSidesOfABackend() async throws {
    let folder = try ScratchFolder()
    _ = try folder.write("backend.py", Self.backend)
    let catalogue = Sample.catalogue(Sample.exchanges + [Self.ask])
    let provisioning = Provisioning(
      start: .init(
        program: ["python3", "backend.py", "${app.port}"].map { template(.string($0)) },
        environment: ["MAIN_URL": template("${main.url}"), "KEY": template("${key}")], readyWithin: .seconds(120)),
      values: ["key": "k-1"],
      requests: [
        "ask": .init(method: "POST", path: template("/ask"), headers: ["X-Name": template("${name}")])
      ], answers: ["ask": ["seen": JSONPath([.key("body"), .key("seen")])]])
    let maker = SlotMaker(
      catalogue: catalogue, role: "backend", provisioning: provisioning, urls: [:], folder: folder.path,
      client: WireClient())
    let pool = SlotPool(
      .slots(count: 1, make: { try await maker.make() }), client: WireClient(),
      checks: try CommandChecks(operatorsOf: Sample.definition))
    let performance = CasePerformance(
      catalogue: catalogue, makeServer: { _, _ in Sample.Server() },
      subjects: ["backend": Subject(name: "b", version: "1")], plugs: .init(called: pool),
      conditions: .init(kit: "k", clock: .real, seed: 1, timeLimit: .seconds(300), redaction: Redaction()))
    let scenario = Case.Scenario(
      steps: ["a", "b"].map { name in
        Step(
          .send(.init(exchange: "ask", with: template(["name": .string(name)]))),
          label: template(.string("ask-\(name)")))
      }, claims: [])
    let testCase = Case(
      id: "c", title: "", role: "backend", dialects: [Sample.dialect], services: [Sample.main], scenarios: [scenario])
    // The second case has the same process, and a server model of its own.
    for _ in 1...2 {
      let transcript = await performance.perform(
        testCase, scenario, CaseInstance(id: "c", row: nil, dialect: Sample.dialect)
      ).transcript
      #expect(transcript.ending == .init(.completed))
      let evidence = Evidence(transcript: transcript, models: [:])
      #expect(["ask-a", "ask-b"].map { evidence.outcomes[$0]?.view["seen"] } == [1, 2])
      let requests = evidence.observations(Selector(.request(exchange: "event"), at: Sample.main))
      #expect(requests.map { $0.view["body"]?["name"] } == ["a", "b"])
      #expect(requests.map { $0.view["headers"]?["x-key"] } == ["k-1", "k-1"])
    }
    await pool.close()
  }
}
