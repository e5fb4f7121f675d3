import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import JSONKit
import Testing

@testable import ConformanceBench
@testable import Recording
@testable import Subjects

/// A backend in the middle: called by the kit, and calling the services that the kit plays.
@Suite struct BackendPerformanceTests {
  /// A backend that passes each question on as an event, and returns the number in the answer.
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
            if self.headers["X-Name"].isdigit(): return self.send_error(int(self.headers["X-Name"]))
            body = json.dumps({"name": self.headers["X-Name"]}).encode()
            request = urllib.request.Request(os.environ["MAIN_URL"] + "/event", body, {"X-Key": os.environ["KEY"]})
            with urllib.request.urlopen(request) as response: self.answer({"seen": json.load(response)["number"]})
            if self.headers["X-Name"] == "the last": os._exit(3)
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()

    """

  private static let ask = Exchange(
    name: "ask", text: "", service: "app", requests: [:], boundHoles: ["name"], capability: nil)

  private static let catalogue = Sample.catalogue(Sample.exchanges + [ask])

  /// Makes slots of the backend, which calls `mainURL`.
  private func maker(
    in folder: ScratchFolder, mainURL: String = "${main.url}", probe: Provisioning.Probe? = nil
  ) throws -> SlotMaker {
    _ = try folder.write("backend.py", Self.backend)
    let provisioning = Provisioning(
      start: .init(
        program: ["python3", "backend.py", "${app.port}"].map { template(.string($0)) },
        environment: ["MAIN_URL": template(.string(mainURL)), "KEY": template("${key}")], readyWithin: .seconds(120)),
      probe: probe, values: ["key": "k-1"],
      requests: [
        "ask": .init(method: "POST", path: template("/ask"), headers: ["X-Name": template("${name}")])
      ],
      answers: [
        "ask": ["seen": JSONPath([.key("body"), .key("seen")]), "code": JSONPath([.key("body"), .key("cod")])]
      ])
    return SlotMaker(
      catalogue: Self.catalogue, role: "backend", provisioning: provisioning, urls: [:], folder: folder.path,
      client: WireClient())
  }

  private func pool(of maker: SlotMaker) throws -> SlotPool {
    SlotPool(
      .slots(count: 1, make: { try await maker.make() }), client: WireClient(),
      checks: try CommandChecks(operatorsOf: Sample.definition))
  }

  /// The transcript of a case that asks the backend for these names.
  private func perform(_ names: [String], with pool: SlotPool) async -> Transcript {
    let performance = CasePerformance(
      catalogue: Self.catalogue, makeServer: { _, _ in Sample.Server() },
      subjects: ["backend": Subject(name: "b", version: "1")], plugs: .init(called: pool),
      conditions: .init(kit: "k", timeLimit: .seconds(300)), pace: Pace(.real))
    let scenario = Case.Scenario(
      steps: names.map { name in
        Step(
          .send(.init(exchange: "ask", with: template(["name": .string(name)]))),
          label: template(.string("ask-\(name)")))
      }, claims: [])
    let testCase = Case(
      id: "c", title: "", role: "backend", dialects: [Sample.dialect], services: [Sample.main], scenarios: [scenario])
    return await performance.perform(testCase, scenario, CaseInstance(id: "c", row: nil, dialect: Sample.dialect))
      .transcript
  }

  @Test func aCaseSeesBothSidesOfABackend() async throws {
    let folder = try ScratchFolder()
    let pool = try pool(of: maker(in: folder))
    // The second case has the same process, with a server model of its own.
    for _ in 1...2 {
      let transcript = await perform(["a", "b"], with: pool)
      #expect(transcript.ending == .init(.completed))
      let evidence = Evidence(transcript: transcript, models: [:])
      #expect(["ask-a", "ask-b"].map { evidence.outcomes[$0]?.view["seen"] } == [1, 2])
      #expect(evidence.outcomes["ask-a"]?.absent == ["code": "$.body.cod"])
      let requests = evidence.observations(Selector(.request(exchange: "event"), at: Sample.main))
      #expect(requests.map { $0.view["body"]?["name"] } == ["a", "b"])
      #expect(requests.map { $0.view["headers"]?["x-key"] } == ["k-1", "k-1"])
    }
    await pool.close()
  }

  /// The backend dies after it has answered its last step. The death is noticed before anything is judged.
  @Test func aBackendThatDiesOfItsLastStepIsDead() async throws {
    let folder = try ScratchFolder()
    let pool = try pool(of: maker(in: folder))
    let transcript = await perform(["the last"], with: pool)
    #expect(transcript.ending?.kind == .adapterDied)
    #expect(transcript.ending?.text.hasPrefix("the subject exited with code 3") == true)
    #expect(transcript.entries.contains { if case .received = $0.event { true } else { false } })
    // Another process takes its place.
    #expect(await perform(["a"], with: pool).ending == .init(.completed))
    await pool.close()
  }

  /// The address that the backend calls, and the problem that is reported if the kit does not play it.
  @Test(
    arguments: [
      ("${main.url}", nil),
      ("http://127.0.0.1:9", "no request arrived at 'main', which the kit plays at http://127.0.0.1:"),
    ] as [(String, String?)])
  func aProbeShowsWhetherABackendCallsTheKit(mainURL: String, says: String?) async throws {
    let folder = try ScratchFolder()
    let probe = Provisioning.Probe(exchange: "ask", with: template(["name": "probe"]), reaches: [Sample.main])
    let maker = try maker(in: folder, mainURL: mainURL, probe: probe)
    guard let says else { return await (try maker.make()).close() }
    let problem = await #expect(throws: ProvisioningProblem.self) { _ = try await maker.make() }
    #expect(problem?.description.contains(says) == true, "\(String(describing: problem))")
    #expect(problem?.description.contains("as ${main.url} in 'start'?") == true)
  }

  /// If a subject refuses the probe, the problem depends on its answer.
  @Test(
    arguments: [
      ("404", "it answered 404: is this how 'ask' is asked for? 'exchanges' says so"),
      ("401", "it answered 401: does it know what 'probe' asks with?"),
      ("422", "it answered 422: is the request that 'exchanges' and 'with' make a right one?"),
      ("500", "it answered 500: does the subject call the address that it was given, as ${main.url} in 'start'?"),
    ])
  func theAnswerToAProbeTellsWhereToLook(status: String, says: String) async throws {
    let folder = try ScratchFolder()
    var probe = Provisioning.Probe(
      exchange: "ask", with: template(["name": .string(status)]), reaches: [Sample.main])
    probe.place = .init(file: "b.yaml", line: 7, column: 1, field: JSONPath([.key("probe")]))
    let maker = try maker(in: folder, probe: probe)
    let problem = await #expect(throws: ProvisioningProblem.self) { _ = try await maker.make() }
    #expect(problem?.description.hasPrefix("b.yaml:7:1: $.probe: no request arrived at 'main'") == true)
    #expect(
      problem?.description.contains("sent with POST /ask: \(says)") == true, "\(String(describing: problem))")
  }
}
