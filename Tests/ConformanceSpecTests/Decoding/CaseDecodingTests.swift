import ConformanceModel
import ConformanceSpec
import HTTPValues
import JSONKit
import Templates
import Testing

/// Every word of the case format, read from YAML into the nouns.
@Suite struct CaseDecodingTests {
  private func scenario(
    steps: String, claims: String = "[ { requirement: SA-EVT-001, never: { request: any } } ]"
  )
    async throws -> Case.Scenario
  {
    let text = """
        - case: one.case
          title: One
          role: sdk
          steps: \(steps)
          claims: \(claims)

      """
    let sources = try await Sample().appending(text, to: Sample.cases).sources()
    return try #require(sources.catalogue.case("one.case")?.scenarios.first)
  }

  private static func literal(_ json: JSON) -> Template { (try? Template(json)) ?? Template(.literal(.null)) }

  @Test(
    arguments: [
      ("call: x", .call(.init(command: "x", params: literal([:]), waits: true, need: .succeeds))),
      ("call: x, as: a", .call(.init(command: "x", params: literal([:]), waits: true, need: .succeeds))),
      ("call: x, need: either", .call(.init(command: "x", params: literal([:]), waits: true, need: .either))),
      ("call: x, need: fails", .call(.init(command: "x", params: literal([:]), waits: true, need: .fails))),
      (
        "call: x, as: a, need: succeeds, wait: false, with: { a: 1 }",
        .call(.init(command: "x", params: literal(["a": 1]), waits: false, need: .succeeds))
      ),
      ("send: event", .send(.init(exchange: "event", with: literal([:])))),
      (
        "send: event, bindings: minimal, with: { a: 1 }, set: { $.a: 2 }, remove: [$.b], headers: { A: x, B: null }, "
          + "path: /p, method: PUT, body: null, wait: false",
        .send(
          .init(
            exchange: "event", bindings: "minimal", with: literal(["a": 1]),
            edits: [
              .init(path: JSONPath([.key("a")]), value: literal(2)), .init(path: JSONPath([.key("b")]), value: nil),
            ], headers: ["A": literal("x"), "B": nil], path: literal("/p"), method: "PUT", body: literal(.null),
            waits: false))
      ),
      ("answer: event, response: found", .answer(.init(exchange: "event", response: "found", with: literal([:])))),
      (
        "answer: event, response: found, with: { a: 1 }, status: 500, times: 2, remove: [$]",
        .answer(
          .init(
            exchange: "event", response: "found", with: literal(["a": 1]), edits: [.init(path: .root, value: nil)],
            status: 500, times: 2))
      ),
      (
        "await: { request: event, count: 2, within: 1.5s, after: a, at: main, where: { method: GET } }",
        .await(
          .init(
            target: .observed(
              Selector(
                .request(exchange: "event"), at: "main", after: "a", filter: literal(["method": "GET"]))),
            count: 2, within: .milliseconds(1500)))
      ),
      (
        "await: { callback: d1, before: b }",
        .await(
          .init(
            target: .observed(Selector(.callback(handle: "d1"), before: "b")), count: 1, within: Step.Await.patience))
      ),
      ("await: { reply: a }", .await(.init(target: .reply("a")))),
      ("settle: 5s", .settle(within: .seconds(5))),
      ("advance: 48h", .advance(.seconds(172_800))),
      ("restart: clean", .restart(.init(ending: .clean))),
      ("restart: kill", .restart(.init(ending: .kill))),
      (
        "restart: { how: kill, storage: fresh }",
        .restart(.init(ending: .kill, keepsStorage: false, environment: literal([:])))
      ),
      (
        "restart: { how: clean, environment: { online: true } }",
        .restart(.init(ending: .clean, environment: literal(["online": true])))
      ),
      ("surroundings: { online: false }", .surroundings(literal(["online": false]))),
      ("settle: soon", .settle(within: .seconds(2))),
      ("operate: makeLink", .operate(.init(command: "makeLink", params: literal([:])))),
      (
        "operate: makeLink, with: { code: c }, as: a",
        .operate(.init(command: "makeLink", params: literal(["code": "c"])))
      ),
      (
        "answer: event, response: found, where: { body: { name: x } }, headers: { X-A: null, X-B: b }",
        .answer(
          .init(
            exchange: "event", response: "found", filter: literal(["body": ["name": "x"]]), with: literal([:]),
            headers: ["X-A": nil, "X-B": literal("b")]))
      ),
      ("send: event, from: 81.2.3.4", .send(.init(exchange: "event", with: literal([:]), from: literal("81.2.3.4")))),
      (
        "attempt: { until: { callback: d1 }, ways: { wait: [ { settle: 1s } ], restart: [ { restart: clean } ] } }",
        .attempt(
          .init(
            until: Selector(.callback(handle: "d1")),
            ways: [
              .init(name: "wait", steps: [Step(.settle(within: .seconds(1)))]),
              .init(name: "restart", steps: [Step(.restart(.init(ending: .clean)))]),
            ]))
      ),
      (
        "do: started, with: { url: u }",
        .perform(
          name: "started",
          steps: [
            Step(.call(.init(command: "initialize", params: literal(["url": "u"]))), label: literal("began"))
          ])
      ),
      ("together: [ { settle: 1s } ]", .together([Step(.settle(within: .seconds(1)))])),
      (
        "repeat: { times: 3, steps: [ { settle: 1s, as: \"s${n}\" } ] }",
        .repeat(
          times: 3, variable: "n", steps: [Step(.settle(within: .seconds(1)), label: literal("s${n}"))])
      ),
      (
        "repeat: { times: 0, as: i, steps: [ { settle: 1s } ] }",
        .repeat(times: 0, variable: "i", steps: [Step(.settle(within: .seconds(1)))])
      ),
    ] as [(String, Step.Action)])
  func everyStepIsRead(text: String, action: Step.Action) async throws {
    let step = try #require(try await scenario(steps: "[ { \(text) } ]").steps.first)
    #expect(step.action == action)
    #expect(step.label?.node == (text.contains(", as: a") ? .literal("a") : nil))
  }

  @Test(arguments: [
    ("how: refuse", Fault(.refuse)),
    ("how: drop, skip: 1, times: 2", Fault(.drop(serverActs: false), skip: 1, times: 2)),
    ("how: drop, acted: true, at: main", Fault(.drop(serverActs: true), at: "main")),
    ("how: hold", Fault(.hold(until: nil))),
    ("how: hold, until: 3, exchange: event", Fault(.hold(until: 3), exchange: "event")),
    ("how: hang, where: { method: GET }", Fault(.hang, filter: literal(["method": "GET"]))),
    ("how: hang, exchange: event", Fault(.hang, exchange: "event")),
    ("how: reset, bytes: 5", Fault(.reset(afterBytes: 5))),
    ("how: delay, by: 2s", Fault(.delay(.seconds(2)))),
    ("how: drip, bytes: 1, by: 10ms", Fault(.drip(bytes: 1, every: .milliseconds(10)))),
    ("how: truncate, bytes: 0", Fault(.truncate(bytes: 0))),
    ("how: stall, bytes: 3", Fault(.stall(afterBytes: 3))),
    ("how: wrong-length, by: -3", Fault(.wrongLength(by: -3))),
    ("how: bad-chunk", Fault(.badChunk)),
    ("how: status, status: 503", Fault(.status(503))),
    ("how: raw, text: x", Fault(.raw(Octets("x".utf8)))),
    ("how: raw, base64: /w==", Fault(.raw(Octets([0xFF])))),
    ("how: redirect, status: 302, location: /x", Fault(.redirect(status: 302, location: "/x"))),
  ])
  func everyFaultIsRead(text: String, fault: Fault) async throws {
    let step = try #require(try await scenario(steps: "[ { fault: { \(text) } } ]").steps.first)
    #expect(step.action == .fault(fault))
  }

  /// Which faults end, as `heal` and `release` spell it.
  @Test(
    arguments: [
      ("all", .init()), ("event", .init(exchange: "event")), ("{ at: main }", .init(at: "main")),
      ("{ exchange: event, at: main }", .init(at: "main", exchange: "event")),
    ] as [(String, Step.Scope)])
  func faultsAreHealedAndReleasedByExchangeAndService(text: String, scope: Step.Scope) async throws {
    let steps = try await scenario(steps: "[ { heal: \(text) }, { release: \(text) } ]").steps
    #expect(steps.map(\.action) == [.heal(scope), .release(scope)])
  }

  private static let event = Selector(.request(exchange: "event"))
  private static let id = JSONPath([.key("body"), .key("id")])
  private static let notes = Selector(
    .response(exchange: Selector.any), items: JSONPath([.key("body"), .key("notes")]))
  private static let callback = Selector(.callback(handle: "d1"))

  @Test(
    arguments: [
      ("count: { request: event, is: 1 }", .count(event, is: literal(1))),
      ("never: { callback: d1 }", .never(callback)),
      ("matches: { request: event, is: null }", .matches(event, which: .each, is: literal(.null))),
      ("matches: { request: event, which: last, is: {} }", .matches(event, which: .last, is: literal([:]))),
      ("order: [ { request: event }, { callback: d1 } ]", .order([event, callback])),
      (
        "gap: { from: { request: event }, to: { callback: d1 }, is: { $above: 5 } }",
        .gap(from: event, to: callback, is: literal(["$above": 5]))
      ),
      (
        "equal: [ { request: event, path: $.body.x }, { callback: d1 }, { returned: a, path: $.y } ]",
        .equal([
          .init(origin: .observed(event), path: JSONPath([.key("body"), .key("x")])),
          .init(origin: .observed(callback)), .init(origin: .returned("a"), path: JSONPath([.key("y")])),
        ])
      ),
      (
        "returns: { a: { $fails: network }, \"b${n}\": 2 }",
        .returns([
          .init(label: "a", template: literal(["$fails": "network"])), .init(label: "b${n}", template: literal(2)),
        ])
      ),
      ("series: { request: event, path: $.body.id }", .series(event, at: id, is: .different)),
      ("series: { request: event, path: $.body.id, is: same }", .series(event, at: id, is: .same)),
      ("series: { request: event, path: $.body.id, is: ascending }", .series(event, at: id, is: .ascending)),
      ("series: { request: event, path: $.body.id, is: not-descending }", .series(event, at: id, is: .notDescending)),
      (
        "latest: { request: event, path: $.body.id, from: { response: event, at: main, path: $.body.id } }",
        .latest(event, at: id, from: Selector(.response(exchange: "event"), at: "main"), fromPath: id)
      ),
      ("at-once: { request: event, is: { $at-most: 2 } }", .atOnce(event, is: literal(["$at-most": 2]))),
      ("golden: { request: event }", .golden(event)),
      ("gaps: { request: event, are: [1, 2] }", .gaps(event, are: [literal(1), literal(2)])),
      (
        "any-of: [ { never: { callback: d1 } }, { any-of: [ { survives: true }, { survives: true } ] } ]",
        .anyOf([.never(callback), .anyOf([.survives, .survives])])
      ),
      ("survives: true", .survives),
      ("never: { response: any, items: $.body.notes }", .never(notes)),
      ("never: { reply: a }", .never(Selector(.reply(label: "a")))),
      ("never: { step: a, before: b }", .never(Selector(.step(label: "a"), before: "b"))),
      ("never: { closed: any, at: main }", .never(Selector(.closed, at: "main"))),
      ("called-back: { callback: d1 }", .calledBack(callback, times: literal(["$at-least": 1]), with: nil)),
      (
        "called-back: { callback: d1, times: 0, with: null }",
        .calledBack(callback, times: literal(0), with: literal(.null))
      ),
      ("check: { name: c }", .check(name: "c", with: [:])),
      ("check: { name: c, with: [1] }", .check(name: "c", with: [1])),
    ] as [(String, Claim.Assertion)])
  func everyAssertionIsRead(text: String, assertion: Claim.Assertion) async throws {
    let scenario = try await scenario(steps: "[ { settle: 1s } ]", claims: "[ { requirement: SA-EVT-001, \(text) } ]")
    #expect(scenario.claims.map(\.assertion) == [assertion])
    let witnessed = try await self.scenario(steps: "[ { settle: 1s } ]\n    witness: [ { \(text) } ]")
    #expect(witnessed.witness == [assertion])
  }

  @Test func aClaimAboutSeveralRequirementsIsSeveral() async throws {
    let claims = try await scenario(
      steps: "[ { settle: 1s } ]",
      claims: "[ { requirement: [SA-EVT-001, SA-EVT-002], dialects: [old], never: { request: any } } ]"
    ).claims
    #expect(claims.map(\.requirement) == ["SA-EVT-001", "SA-EVT-002"])
    #expect(claims.map(\.dialects) == [["old"], ["old"]])
    #expect(Set(claims.map(\.line)).count == 1)
  }
}
