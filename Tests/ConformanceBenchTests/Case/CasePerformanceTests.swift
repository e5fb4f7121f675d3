import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import FoundationEssentials
import JSONKit
import Testing

@testable import Adapters
@testable import ConformanceBench
@testable import Recording

/// A case from its first step to its ending, with an adapter without an SDK.
@Suite struct CasePerformanceTests {
  /// The transcript of a case with these steps.
  private func perform(
    _ steps: [Step], bend: String = "", timeLimit: Duration = .seconds(300)
  ) async throws -> Transcript {
    let adapter = try PythonAdapter(bend: "HELLO[\"clocks\"] = [\"virtual\"]\n" + Self.resting + bend)
    let pool = AdapterPool(
      command: adapter.command, definition: Sample.definition, kit: "k", limits: .patient, checks: .none, now: { .now })
    let performance = CasePerformance(
      catalogue: Sample.catalogue(), makeServer: { _, _ in Sample.Server() },
      subjects: ["sdk": Subject(name: "s", version: "1")], plugs: .init(driven: pool),
      conditions: .init(kit: "k", timeLimit: timeLimit), pace: Pace(.virtual))
    let scenario = Case.Scenario(steps: steps, claims: [])
    let one = Case(
      id: "c", title: "", role: "sdk", dialects: [Sample.dialect], services: [Sample.main], scenarios: [scenario])
    let performed = await performance.perform(one, scenario, CaseInstance(id: "c", row: nil, dialect: Sample.dialect))
    await pool.close()
    return performed.transcript
  }

  /// The clock of an app that never acts by itself.
  private static let resting = """
    def work(id, method, params):
        if method == "advance":
            reply(id, {"next": None})
            return True
        return more(id, method, params)

    def more(id, method, params):
        return False

    """

  private static func call(_ command: String, need: Step.Call.Need = .succeeds) -> Step {
    Step(.call(.init(command: command, params: template([:]), need: need)), label: nil)
  }

  private static let fault = Step(.fault(Fault(.hang, exchange: "event")), label: nil)

  @Test(
    arguments: [
      ([call("echo")], .completed, ""), ([call("nothing")], .preconditionFailed, "nothing failed with unsupported"),
      ([call("nothing", need: .either)], .completed, ""), ([call("gather", need: .either)], .unsupported, "gathering"),
      ([call("echo", need: .fails)], .preconditionFailed, "echo succeeded"),
      ([fault, call("echo")], .faultUnused, "the fault 'hang' (event) was armed and never fired"),
      ([Step(.send(.init(exchange: "event")), label: nil)], .kitError, "the role offers no service"),
    ] as [([Step], TranscriptEntry.Ending.Kind, String)])
  func aCaseEndsForAReason(steps: [Step], kind: TranscriptEntry.Ending.Kind, text: String) async throws {
    let ending = try await perform(steps).ending
    #expect(ending?.kind == kind)
    #expect(ending?.text.hasPrefix(text) == true, "\(String(describing: ending))")
  }

  @Test func anAppThatDiesEndsItsCase() async throws {
    let transcript = try await perform(
      [Self.call("fall"), Self.call("echo")],
      bend: "def more(id, method, params):\n    if method == \"fall\":\n        os._exit(9)\n")
    #expect(transcript.ending?.kind == .adapterDied)
    #expect(transcript.entries.count { if case .command = $0.event { true } else { false } } == 1)
  }

  /// Nothing of a case is left on the disk.
  @Test func theStorageGoesWithItsCase() async throws {
    let note = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID())").path
    _ = try await perform(
      [Self.call("echo")],
      bend: """
        def more(id, method, params):
            if method == "launch":
                open("\(note)", "w").write(params["storage"])
                open(params["storage"] + "/kept", "w").write("x")
        """)
    let storage = try String(contentsOf: URL(filePath: note), encoding: .utf8)
    try FileManager.default.removeItem(atPath: note)
    #expect(!storage.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: storage))
  }

  @Test func whatIsNotBegunHasAHeaderAndAnEnd() {
    let performance = CasePerformance(
      catalogue: Sample.catalogue(), makeServer: { _, _ in Sample.Server() }, subjects: [:], plugs: .init(),
      conditions: .init(kit: "k", timeLimit: .seconds(1)), pace: Pace(.virtual))
    let one = Case(id: "c", title: "", role: "sdk", dialects: [Sample.dialect], scenarios: [])
    let skipped = performance.skip(one, CaseInstance(id: "c", row: nil, dialect: Sample.dialect), .capability("ears"))
    #expect(skipped.transcript.ending == .init(.unsupported, "ears"))
    #expect(skipped.transcript.header.kit == "k")
    #expect(skipped.waited == .zero)
  }
}
