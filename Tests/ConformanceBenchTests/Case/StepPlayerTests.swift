import ConformanceModel
import ConformanceTranscript
import JSONKit
import Testing

@testable import Adapters
@testable import ConformanceBench
@testable import Recording

/// The effects of steps on a subject and on each other, with an adapter in Python.
@Suite struct StepPlayerTests {
  private static let bend = """
    environment, gathered = {}, []
    def work(id, method, params):
        if method == "launch":
            environment.clear()
            environment.update(params["environment"])
            return False
        if method == "surroundings":
            environment.update(params)
            reply(id)
        elif method == "advance": reply(id, {"next": None})
        elif method == "look": reply(id, environment)
        elif method == "refuse": fail(id, -32000, "no", {"kind": "refused"})
        elif method == "tell":
            callback(params["handle"], params.get("value"))
            reply(id)
        elif method == "gather":
            gathered.append(id)
            if len(gathered) == params["all"]:
                while gathered: reply(gathered.pop())
        else: return False
        return True
    """

  private func perform(
    _ steps: [Step], given: [Case.Precondition] = [], environment: JSON.Object = [:], capabilities: [String] = []
  ) async throws -> Transcript {
    let adapter = try PythonAdapter(bend: Self.bend)
    let pool = AdapterPool(
      command: adapter.command, definition: Sample.definition, kit: "k", limits: .patient, checks: .none)
    let performance = CasePerformance(
      catalogue: Sample.catalogue(), makeServer: { _, _ in Sample.Server() },
      subjects: ["sdk": Subject(name: "s", version: "1", capabilities: capabilities)], plugs: .init(driven: pool),
      conditions: .init(kit: "k", timeLimit: .seconds(300)), pace: Pace(.virtual))
    let scenario = Case.Scenario(environment: environment, given: given, steps: steps, claims: [])
    let testCase = Case(
      id: "c", title: "", role: "sdk", dialects: [Sample.dialect], services: [Sample.main], scenarios: [scenario])
    let performed = await performance.perform(
      testCase, scenario, CaseInstance(id: "c", row: nil, dialect: Sample.dialect))
    await pool.close()
    return performed.transcript
  }

  private func call(
    _ command: String, _ params: JSON = [:], need: Step.Call.Need = .succeeds, as label: String? = nil
  ) -> Step {
    Step(
      .call(.init(command: command, params: template(params), need: need)), label: label.map { template(.string($0)) })
  }

  private func outcome(_ label: String, in transcript: Transcript) -> JSON? {
    Evidence(transcript: transcript, models: [:]).outcomes[label]?.view
  }

  /// Observations before the last step that lets the subject act belong to another part of the case.
  @Test(
    arguments: [(nil, nil, false), ("first", nil, true), (nil, "settled", false), (nil, "first", true)]
      as [(
        String?, String?, Bool
      )])
  func countsFromTheLastStepThatLetsTheSubjectAct(since: String?, after: String?, isSeen: Bool) async throws {
    let wait = Step.Action.await(
      .init(
        target: .observed(Selector(.callback(handle: "d"), after: after)), since: since))
    let transcript = try await perform([
      call("echo", [:], as: "first"), call("tell", ["handle": "d", "value": 6]),
      Step(.settle(within: .seconds(1)), label: template("settled")), Step(wait, label: template("seen")),
    ])
    #expect(transcript.ending == .init(.completed))
    #expect((outcome("seen", in: transcript) != nil) == isSeen)
  }

  /// The kit's own steps come between the actions of the subject and the step that waits for them.
  @Test func countsWhatTheStepBeforeBroughtAbout() async throws {
    let wait = Step.Action.await(.init(target: .observed(Selector(.callback(handle: "d")))))
    let silent = Step(.call(.init(command: "echo", params: template([:]), waits: false)))
    let transcript = try await perform([
      call("tell", ["handle": "d", "value": 6]), Step(.heal(.init())), silent, Step(wait, label: template("seen")),
    ])
    #expect(outcome("seen", in: transcript) == 6)
  }

  @Test func rejectsASinceThatNeverBegan() async throws {
    let wait = Step.Action.await(.init(target: .observed(Selector(.callback(handle: "d"))), since: "never"))
    let transcript = try await perform([Step(wait)])
    #expect(
      transcript.ending == .init(.kitError, "step 1, 'await': no step 'never' began, which 'since' names"))
  }

  @Test func whatWasWaitedForHasAName() async throws {
    let wait = Step.Action.await(
      .init(target: .observed(Selector(.callback(handle: "d"))), count: 2, since: "first"))
    let transcript = try await perform([
      call("tell", ["handle": "d", "value": 6], as: "first"), call("tell", ["handle": "d", "value": ["n": 7]]),
      Step(wait, label: template("seen")), call("echo", ["v": "${seen.n}"], as: "told"),
    ])
    #expect(transcript.ending == .init(.completed))
    #expect(outcome("seen", in: transcript) == ["n": 7])
    #expect(outcome("told", in: transcript) == ["v": 7])
  }

  /// Fewer observations than expected give no value.
  @Test func whatWasWaitedForInVainHasNoName() async throws {
    let wait = Step.Action.await(.init(target: .observed(Selector(.callback(handle: "d"))), count: 2))
    let transcript = try await perform([
      call("tell", ["handle": "d", "value": ["n": 7]]), Step(wait, label: template("seen")),
      call("echo", ["v": "${seen.n}"], as: "told"),
    ])
    #expect(outcome("seen", in: transcript) == nil)
    #expect(
      transcript.ending
        == .init(.preconditionFailed, "'echo' needs n of the step 'seen', which has no outcome"))
  }

  /// A step may refer to a missing value of an earlier one, which is not a mistake of the case.
  @Test(
    arguments: [
      (
        ["v": "${sent.pass}"], .preconditionFailed,
        "'echo' needs pass of echo 'sent', which ended with {\"status\":502}"
      ),
      (
        ["v": "${sent.status:text}"], .preconditionFailed,
        "'echo' needs status of echo 'sent', which ended with {\"status\":502}"
      ),
      (
        ["v": "${declared.size}"], .preconditionFailed,
        "'echo' needs 'size', which the adapter does not declare in its 'hello'"
      ),
      (
        ["v": "${snt.pass}"], .kitError,
        "step 2, 'echo': nothing is bound to ${snt.pass}; what has a value is main, now, sent, today, unique"
      ),
      (["v?": "${sent.pass}"], .completed, ""),
    ] as [(JSON, TranscriptEntry.Ending.Kind, String)])
  func whatAStepNeedsIsThereOrTold(params: JSON, kind: TranscriptEntry.Ending.Kind, text: String) async throws {
    let transcript = try await perform([call("echo", ["status": 502], as: "sent"), call("echo", params)])
    #expect(transcript.ending == .init(kind, text))
  }

  @Test func anAnswerThatNeedsWhatIsNotThereIsNoMistakeOfTheCase() async throws {
    let answer = Step.Answer(exchange: "event", response: "stored", with: template(["id": "${sent.pass}"]))
    let transcript = try await perform([call("echo", ["status": 502], as: "sent"), Step(.answer(answer))])
    #expect(transcript.ending?.kind == .preconditionFailed)
    #expect(transcript.ending?.text.hasPrefix("'answer event' needs pass of echo 'sent', which ended with") == true)
  }

  @Test(arguments: [("d", "second"), ("e", "third"), ("never", Step.Attempt.none)])
  func waysAreTriedUntilOneLeads(handle: String, way: String) async throws {
    let attempt = Step.Attempt(
      until: Selector(.callback(handle: handle)),
      ways: [
        .init(name: "first", steps: [call("tell", ["handle": "x"])]),
        .init(name: "second", steps: [call("tell", ["handle": "d"])]),
        .init(name: "third", steps: [call("tell", ["handle": "e"])]),
      ])
    let transcript = try await perform([Step(.attempt(attempt), label: template("way"))])
    #expect(transcript.ending == .init(.completed))
    #expect(outcome("way", in: transcript) == .string(way))
    #expect(transcript.entries.count { $0.event.kind == .callback } == (way == "second" ? 2 : 3))
  }

  @Test(arguments: [(["gathering"], "gathered", 2), ([], "told", 1)])
  func aWayThatTheSubjectLacksIsLeftOut(capabilities: [String], way: String, commands: Int) async throws {
    let attempt = Step.Attempt(
      until: Selector(.callback(handle: "x")),
      ways: [
        .init(
          name: "gathered",
          steps: [call("tell", ["handle": capabilities.isEmpty ? "y" : "x"]), call("gather", ["all": 1])]),
        .init(name: "told", steps: [call("tell", ["handle": "x"])]),
      ])
    let transcript = try await perform([Step(.attempt(attempt), label: template("way"))], capabilities: capabilities)
    #expect(transcript.ending == .init(.completed))
    #expect(outcome("way", in: transcript) == .string(way))
    #expect(transcript.entries.count { $0.event.kind == .command } == commands)
  }

  /// The adapter answers each command only after all were sent.
  @Test func aRepeatInATogetherAsksInAllItsRoundsBeforeItWaits() async throws {
    let rounds = Step.Action.repeat(times: 3, variable: "n", steps: [call("gather", ["all": 4], as: "g${n}")])
    let transcript = try await perform([Step(.together([Step(rounds), call("gather", ["all": 4])]))])
    #expect(transcript.ending == .init(.completed))
    #expect(["g1", "g2", "g3"].allSatisfy { outcome($0, in: transcript) == .null })
    let kinds = transcript.entries.map(\.event.kind).filter { $0 == .command || $0 == .reply }
    #expect(kinds == Array(repeating: .command, count: 4) + Array(repeating: .reply, count: 4))
  }

  @Test(
    arguments: [
      ("refuse", .fails, nil), ("refuse", .either, nil), ("echo", .either, nil), ("echo", .succeeds, nil),
      ("echo", .fails, "echo succeeded, and the case begins where it fails"),
      ("refuse", .succeeds, "refuse failed with refused: no"),
    ] as [(String, Step.Call.Need, String?)])
  func aCommandComesToWhatTheStepNeeds(command: String, need: Step.Call.Need, problem: String?) async throws {
    let transcript = try await perform([call(command, need: need)])
    #expect(transcript.ending == (problem.map { .init(.preconditionFailed, $0) } ?? .init(.completed)))
  }

  @Test func aStateThatIsNotReachedNamesItsRule() async throws {
    let state = Case.Precondition(state: "ready", requirements: ["R-1", "R-2"], steps: [call("refuse")], holds: [])
    let transcript = try await perform([call("echo")], given: [state])
    let text = "the state 'ready' was not reached (R-1, R-2): refuse failed with refused: no"
    #expect(transcript.ending == .init(.preconditionFailed, text))
    #expect(!transcript.entries.contains { $0.event.kind == .command && "\($0.event)".contains("echo") })
  }

  @Test func statesComeFirstAndTheirLabelsAreThoseOfTheCase() async throws {
    let state = Case.Precondition(
      state: "ready", requirements: [], steps: [call("echo", ["v": 1], as: "begun")], holds: [])
    let transcript = try await perform([call("echo", ["v": "${begun.v}"], as: "told")], given: [state])
    #expect(transcript.ending == .init(.completed))
    #expect(outcome("told", in: transcript) == ["v": 1])
  }

  @Test func surroundingsChangeWhileTheAppRunsAndAtARestart() async throws {
    let transcript = try await perform(
      [
        call("look", as: "first"), Step(.surroundings(template(["online": false]))), call("look", as: "changed"),
        Step(.restart(.init(ending: .kill, environment: template(["theme": "dark"])))), call("look", as: "again"),
      ], environment: ["theme": "light", "online": true])
    #expect(transcript.ending == .init(.completed))
    #expect(outcome("first", in: transcript) == ["theme": "light", "online": true])
    #expect(outcome("changed", in: transcript) == ["theme": "light", "online": false])
    #expect(outcome("again", in: transcript)?["theme"] == "dark")
  }

  @Test func noAppRunsWhileItIsAway() async throws {
    let transcript = try await perform(
      [Step(.restart(.init(ending: .clean, away: .seconds(172_800)))), call("look", as: "back")],
      environment: ["online": true])
    #expect(transcript.ending == .init(.completed))
    let events = transcript.entries.map(\.event)
    let story: [TranscriptEntry.Event] = [
      .process(.ended(.clean)), .clock(.seconds(172_800)), .process(.started(launch: 2)),
    ]
    let begin = try #require(events.firstIndex(of: story[0]))
    #expect(Array(events[begin..<(begin + 3)]) == story)
    #expect(outcome("back", in: transcript) == ["online": true])
  }
}
