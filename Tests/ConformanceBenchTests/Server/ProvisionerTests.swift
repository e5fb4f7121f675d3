import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Testing

@testable import Recording
@testable import Subjects

/// The checks of the operator's commands, and the capabilities of a server.
@Suite struct ProvisionerTests {
  private struct Answer: ServerHook {
    var outcome: CommandOutcome
    func perform(_ params: JSON.Object) async -> CommandOutcome { outcome }
  }

  private static let definition = ProtocolDefinition(
    name: "sample", title: "", document: "", revision: "", services: Sample.services, roles: Sample.roles,
    dialects: ["plain"],
    capabilities: [
      .init(name: "links", roles: ["server"], isRequired: false, text: ""),
      .init(name: "keys", roles: ["server"], isRequired: false, text: ""),
      .init(name: "address", roles: ["server"], isRequired: false, text: "", isClientAddress: true),
      .init(name: "of-an-sdk", roles: ["sdk"], isRequired: true, text: ""),
    ],
    commands: ["make", "drop"].map {
      .init(
        name: $0, roles: ["server"], text: "", capabilities: ["links"],
        params: ["type": "object", "required": ["code"], "properties": ["code": ["type": "string"]]],
        result: ["type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]]])
    }, values: [.init(name: "key", text: "", capability: "keys")], errorKinds: [], secrets: [])

  private static let catalogue = Catalogue(
    definition: definition, requirements: [], positions: [], cases: [], exchanges: [], models: [:], defects: [])

  private func outcome(_ hook: CommandOutcome) async throws -> (CommandOutcome?, [TranscriptEntry]) {
    let recorder = Recorder(redact: Redaction()) { .zero }
    let provisioner = Provisioner(
      hooks: ["make": Answer(outcome: hook)], checks: try CommandChecks(operatorsOf: Self.definition),
      recorder: recorder)
    let number = try provisioner.call("make", params: ["code": "c"], label: "link")
    await recorder.wait { $0.outcomes[number] != nil }
    await provisioner.finish()
    return (recorder.outcome(number), recorder.entries)
  }

  @Test func aCommandAndItsReplyAreWrittenDown() async throws {
    let (outcome, entries) = try await outcome(.result(["id": 1]))
    #expect(outcome == .result(["id": 1]))
    #expect(
      entries.map(\.event) == [
        .command(.init(id: 1, name: "make", params: ["code": "c"], label: "link")),
        .reply(.init(id: 1, outcome: .result(["id": 1]))),
      ])
  }

  @Test(arguments: [.null, [:], ["id": "1"], [1]] as [JSON])
  func aLieIsAnError(result: JSON) async throws {
    guard case .error(let error)? = try await outcome(.result(result)).0 else {
      Issue.record("taken as a result")
      return
    }
    #expect(error.kind == CommandError.hookFailed)
    #expect(error.message?.hasPrefix("its result does not fit the schema of the protocol: $") == true)
  }

  @Test func anErrorStaysOne() async throws {
    let error = CommandError(kind: CommandError.hookFailed, status: 401, message: "no")
    #expect(try await outcome(.error(error)).0 == .error(error))
  }

  @Test(arguments: [("make", ["code": 1]), ("make", [:]), ("drop", ["code": "c"])] as [(String, JSON)])
  func whatACaseMayNotAskEndsIt(command: String, params: JSON) throws {
    let recorder = Recorder(redact: Redaction()) { .zero }
    let provisioner = Provisioner(
      hooks: ["make": Answer(outcome: .noReply)], checks: try CommandChecks(operatorsOf: Self.definition),
      recorder: recorder)
    let halt = #expect(throws: CaseHalt.self) {
      _ = try provisioner.call(command, params: params, label: nil)
    }
    #expect(halt?.ending.kind == .kitError)
    #expect(recorder.entries.isEmpty)
  }

  @Test func whatIsLentDecidesWhatCanBeDone() throws {
    var server = ServerUnderTest(addresses: ["main": try #require(.init(url: "http://host"))])
    #expect(server.capabilities(in: Self.catalogue, role: "server") == [])
    server.hooks["make"] = Answer(outcome: .noReply)
    #expect(server.capabilities(in: Self.catalogue, role: "server") == [])
    server.hooks["drop"] = Answer(outcome: .noReply)
    #expect(server.capabilities(in: Self.catalogue, role: "server") == ["links"])
    server.values = ["key": "k"]
    server.clientAddressHeader = "X-Forwarded-For"
    #expect(server.capabilities(in: Self.catalogue, role: "server") == ["links", "keys", "address"])
  }

  /// A no-op server provides every value and command, and does nothing.
  @Test(arguments: [EmbeddedServer.Behaviour.constant(HTTPResponse(status: 404)), .echo, .hangUp])
  func whatIsNoServerDoesNothing(behaviour: EmbeddedServer.Behaviour) async throws {
    let embedded = try await EmbeddedServer.start(behaviour, services: [Sample.main])
    let provision = ServerProvision(values: ["key": "k"], clientAddressHeader: "X-Forwarded-For")
    let server = ServerUnderTest(
      embedded: embedded, knowing: provision, commands: Self.definition.operatorCommands)
    #expect(server.capabilities(in: Self.catalogue, role: "server") == ["links", "keys", "address"])
    for hook in server.hooks.values {
      guard case .error = await hook.perform(["code": "c"]) else {
        Issue.record("a result of nothing")
        continue
      }
    }
    await embedded.stop()
  }
}
