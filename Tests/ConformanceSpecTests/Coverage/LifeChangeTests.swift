import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceSpec
@testable import Coverage

/// The changes between a moment of an app's life and its next act, for a protocol of one SDK.
@Suite struct LifeChangeTests {
  private func moments(_ steps: [String], reasons: String = "") async throws -> CommandMoments {
    let small = SmallProtocol(definition: Self.definition, exchange: ("event", Self.event))
    return CommandMoments(try await small.sources(steps, reasons: reasons))
  }

  private func changed(_ steps: [String]) async throws -> [String] {
    try await moments(["call: start", "settle: 1s"] + steps).changes.cells.filter { $0.cell.count > 0 }.map(\.name)
  }

  /// Changes while the network is gone, so that the moment is known.
  @Test(
    arguments: [
      ("surroundings: { language: fr }", "device"), ("call: setUser, with: { id: a }", "user"),
      ("surroundings: { online: true }", "network"), ("surroundings: { skew: 5000 }", "clock"),
      ("surroundings: { shown: false }", "foreground"), ("call: login", "sign-in"),
      ("call: open, with: { url: a }", "link"), ("restart: clean", "restart"), ("restart: kill", "kill"),
      ("surroundings: { version: \"2\" }", "update"), ("call: again", "process"),
    ])
  func eachKindOfChangeIsFoundInTheSteps(step: String, change: String) async throws {
    let found = try await changed(["surroundings: { online: false }", "settle: 1s", step, "settle: 1s"])
    #expect(found.contains("offline \(change)"))
    #expect(!found.contains { $0.hasPrefix("failure") })
  }

  @Test func aRequestThatFailsWaitsForItsNextAttempt() async throws {
    let found = try await changed([
      "fault: { how: status, status: 503, exchange: event }", "call: login", "settle: 1s", "restart: kill",
      "call: start",
    ])
    #expect(found.contains("failure retry"))
    #expect(found.contains("failure kill"))
    #expect(!found.contains("failure restart"))
  }

  @Test func theNetworkComesBackOnceAServiceCanBeReachedAgain() async throws {
    let refused = "fault: { how: refuse, exchange: event }"
    #expect(try await changed([refused, "heal: event", "settle: 1s"]).contains("offline network"))
    #expect(try await changed([refused, "heal: all", "settle: 1s"]).contains("offline network"))
    let held = try await changed(["fault: { how: hold, exchange: event }", "heal: event", "settle: 1s"])
    #expect(!held.contains { $0.hasSuffix(" network") })
  }

  @Test func aChangeAfterWhichTheAppDoesNothingDoesNotCount() async throws {
    let found = try await changed(["surroundings: { online: false }", "settle: 1s", "restart: kill"])
    #expect(!found.contains("offline kill"))
  }

  @Test func aRestartOnAFreshStorageIsNotAChange() async throws {
    let fresh = ["surroundings: { online: false }", "restart: { how: kill, storage: fresh }", "call: start"]
    #expect(try await changed(fresh).contains("offline kill") == false)
  }

  @Test func cellsWithoutACaseAreOpenUntilThereIsAReason() async throws {
    let all = try await moments(["settle: 1s"], reasons: "moments: [ { cell: \"* clock\", reason: It has none. } ]\n")
    #expect(all.openCells.contains("offline clock"))
    #expect(all.openCells.contains("login before"))
    #expect(all.changes.cells.first { $0.name == "offline clock" }?.cell.reason == "It has none.")
    #expect(all.changes.cells.first { $0.name == "offline kill" }?.cell.isEmpty == true)
    #expect(all.changes.cells.contains { $0.name.hasPrefix("reset") } == false)
  }

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. } ]
    roles: { sdk: { driver: true, upstream: [api] } }
    dialects: [spec]
    surroundings:
      - { name: online, text: A., schema: { type: boolean } }
      - { name: language, text: A., schema: { type: string } }
      - { name: skew, text: By how much the wall clock is wrong., schema: { type: integer } }
      - { name: shown, text: Whether the app is in the foreground., schema: { type: boolean } }
      - { name: version, text: The version of the app., schema: { type: string } }
    moments: { set-up: [start], offline: [ { online: false } ] }
    commands:
      - { command: start, text: A., params: { type: object }, result: { type: "null" } }
      - { command: login, text: Signs the user in., params: { type: object }, result: { type: "null" } }
      - command: setUser
        text: Sets the user id.
        params: { type: object, properties: { id: { type: string } } }
        result: { type: "null" }
      - command: open
        text: Hands over a URL that opened the app.
        params: { type: object, properties: { url: { type: string } } }
        result: { type: "null" }
      - { command: again, text: Uses the SDK from another process., params: { type: object }, result: { type: "null" } }

    """

  private static let event = """
    {
      "kit": 2, "exchange": "event", "text": "An event.", "at": "api",
      "request": { "method": "POST", "path": "/events" },
      "responses": { "default": { "any": { "status": 200, "body": {} } } }
    }
    """
}
