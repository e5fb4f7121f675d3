import ConformancePack
import ConformanceSpec
import SpecDocuments
import Testing

@testable import LinkFortyCore
@testable import Lint

/// A small valid catalogue in memory. Tests change one part of it.
struct Sample: Sendable {
  var texts: [String: String]

  init() { texts = Self.files }

  /// The published schemas.
  static let schemas = Result { try SchemaSet(CatalogueFolder(root: repository)) }

  /// The repository of this test.
  static let repository = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  static let definition = "spec/sample/protocol.yaml"
  static let requirements = "spec/sample/requirements/events.yaml"
  static let positions = "spec/sample/positions.yaml"
  static let defects = "spec/sample/defects/all.yaml"
  static let cases = "spec/sample/cases/events.yaml"
  static let states = "spec/sample/steps.yaml"
  static let requests = "spec/sample/requests.yaml"
  static let shapes = "spec/sample/shapes.yaml"
  static let backendRequirements = "spec/sample/requirements/backend.yaml"
  static let otherCases = "spec/sample/cases/others.yaml"
  static let ask = "Fixtures/sample/exchanges/ask.json"
  static let event = "Fixtures/sample/exchanges/event.json"
  static let link = "Fixtures/sample/models/Link.json"

  /// The sample with a passage of one file replaced. The passage must exist.
  func replacing(
    _ old: String, with new: String, in path: String, _ location: SourceLocation = #_sourceLocation
  ) throws -> Sample {
    var copy = self
    let text = try #require(texts[path], sourceLocation: location)
    try #require(text.contains(old), "'\(old)' is not in \(path)", sourceLocation: location)
    copy.texts[path] = text.replacing(old, with: new)
    return copy
  }

  /// The sample with a text added at the end of a file.
  func appending(_ text: String, to path: String) -> Sample {
    var copy = self
    copy.texts[path, default: ""] += text
    return copy
  }

  func sources() async throws -> CatalogueSources {
    try await CatalogueLoader(CatalogueFolder(texts: texts), schemas: Self.schemas.get()).sources(of: "sample")
  }

  private static let check = Check(text: "Holds.", [.optional("after", .label)]) { _, _ in [] }

  /// The diagnostics of reading and lint for the sample, with the one check `known`.
  func lint() async throws -> [Diagnostic] {
    await Linter.lint(
      CatalogueFolder(texts: texts), protocol: "sample", checks: ["known": Self.check], schemas: try Self.schemas.get())
  }

  /// The errors of reading the sample, without the severity.
  func complaints() async throws -> [String] {
    let error = await #expect(throws: CatalogueError.self) { try await sources() }
    return error?.diagnostics.map { $0.description.replacing(" error:", with: "") } ?? []
  }
}

extension Sample {
  private static let files = [
    definition: """
    kit: 2
    protocol: sample
    title: Sample protocol
    document: Sample specification
    revision: "2026-01-01"
    services:
      - { name: main, text: What the server offers to the app. }
      - { name: app, text: What a backend offers to the app. }
    roles:
      sdk: { driver: true, upstream: [main] }
      server: { downstream: [main] }
      backend: { downstream: [app], upstream: [main] }
    dialects: [spec, old]
    features:
      - { number: 1, name: Events }
    capabilities:
      - { name: events, required: true, text: Tracks events., requirements: [SA-EVT-001] }
      - { name: queue-size, required: false, text: Tells the size of its queue. }
      - { name: asking, role: backend, required: false, text: Can be asked. }
    patience:
      - { name: soon, time: 2s, text: An answer of a healthy server. }
    profiles:
      - { name: small, text: Events alone., requirements: [SA-EVT-*] }
    surroundings:
      - { name: online, text: Whether there is a network., schema: { type: boolean } }
    errorKinds: [network, notInitialized]
    secrets: [apiKey]
    commands:
      - command: initialize
        text: Starts.
        params:
          { type: object, required: [url], properties: { url: { type: string } }, additionalProperties: false }
        result: { type: "null" }
      - command: trackEvent
        text: Tracks an event.
        capability: events
        params:
          type: object
          required: [name]
          properties: { name: { type: string, minLength: 1 }, count: { type: integer } }
          additionalProperties: false
        result: { type: "null" }
      - command: queueSize
        text: The number of queued events.
        capability: queue-size
        params: { type: object, additionalProperties: false }
        result: { type: integer }
      - command: onLink
        text: Registers a callback.
        params:
          { type: object, required: [handle], properties: { handle: { type: string } }, additionalProperties: false }
        result: { type: "null" }
      - command: makeLink
        role: server
        text: Makes a link.
        params: { type: object, properties: { code: { type: string } }, additionalProperties: false }
        result: { type: object }

    """,
    requirements: """
    kit: 2
    requirements:
      - id: SA-EVT-001
        role: sdk
        feature: 1
        level: MUST
        basis: stated
        source: { section: "1 Events", revision: "2026-01-01" }
        text: An event is sent once.
      - id: SA-EVT-002
        role: sdk
        feature: 1
        level: SHOULD
        basis: position
        position: P-1
        source: { document: A page, section: "2", revision: "2026-01-01" }
        text: A failed event is queued.
        condition: queue-size
      - id: SA-EVT-003
        role: server
        level: MUST
        basis: stated
        source: { section: "3", revision: "2026-01-01" }
        text: An event is answered with a link.
      - id: SA-EVT-004
        role: sdk
        level: MAY
        basis: stated
        source: { section: "4", revision: "2026-01-01" }
        text: An event may be batched.
        untestable: Nothing can be seen of it from outside.

    """,
    positions: """
    kit: 2
    positions:
      - { id: P-1, gap: What becomes of a failed event., text: It is queued. }

    """,
    defects: """
    kit: 2
    defects:
      - { id: event.twice, side: sdk, breaks: SA-EVT-001, noticed: "event.once[b]", text: Sends every event twice. }
      - { id: event.no-link, side: server, breaks: SA-EVT-003, noticed: event.answer, dialect: spec, text: No link. }
    variants:
      - { id: event.chunked, side: sdk, text: Sends events chunked. }

    """,
    cases: """
    kit: 2
    cases:
      - case: event.once
        title: An event is sent once
        role: sdk
        needs: [events]
        rows:
          - { row: a, name: A, sent: 1 }
          - { row: b, name: B, sent: 2 }
        steps:
          - { call: initialize, with: { url: "${main.url}" } }
          - repeat: { times: "${sent}", as: n, steps: [ { call: trackEvent, with: { name: "${name}${n}" }, as: "e${n}" } ] }
          - { await: { request: event, count: "${sent}" } }
        claims:
          - { requirement: SA-EVT-001, count: { request: event, where: { body: { name: { $like: "${name}." } } }, is: "${sent}" } }
          - { requirement: SA-EVT-001, returns: { e1: { $succeeds: true } } }
      - case: event.queued
        aliases: [event.kept]
        title: A failed event is queued
        role: sdk
        dialects: [spec]
        needs: [events, queue-size]
        steps:
          - { call: initialize, with: { url: "${main.url}" } }
          - { answer: event, response: found, with: { link: { code: abc } } }
          - { fault: { how: status, status: 503, exchange: event, times: 1 } }
          - { call: trackEvent, with: { name: x }, need: either, as: tracked }
          - { call: queueSize, as: size }
        claims:
          - { requirement: [SA-EVT-002], returns: { size: 1 } }
          - { requirement: SA-EVT-002, dialects: [spec], never: { request: event, after: size } }
      - case: event.answer
        title: An event is answered
        role: server
        steps:
          - { send: event, bindings: minimal, as: sent }
        claims:
          - { requirement: SA-EVT-003, returns: { sent: { status: 200, body: { link: "${:Link}" } } } }

    """,
    backendRequirements: """
    kit: 2
    requirements:
      - id: SA-APP-001
        role: backend
        level: MUST
        basis: stated
        source: { section: "5", revision: "2026-01-01" }
        text: A backend tells of every event that it is asked for.

    """,
    states: """
    kit: 2
    states:
      - state: started
        text: The app has started.
        requirement: SA-EVT-001
        with: { url: "${main.url}" }
        steps:
          - { call: initialize, with: { url: "${url}" }, as: began }
        holds:
          - { returns: { began: { $succeeds: true } } }

    """,
    otherCases: """
    kit: 2
    cases:
      - case: app.asked
        title: A backend tells of an event
        role: backend
        needs: [asking]
        steps:
          - { send: ask, with: { session: "1" }, as: asked }
        claims:
          - { requirement: SA-APP-001, count: { request: event, at: main, is: 1 } }
      - case: event.online
        title: An event waits for the network
        role: sdk
        needs: [events]
        environment: { online: false }
        given: started
        steps:
          - { call: trackEvent, with: { name: x }, need: either }
          - { surroundings: { online: true } }
          - settle: soon
        claims:
          - { requirement: SA-EVT-001, count: { request: event, is: 1 } }

    """,
    ask: """
    {
      "kit": 2,
      "exchange": "ask",
      "text": "The app asks its backend for an event.",
      "at": "app",
      "bound": true,
      "holes": [
        "session"
      ],
      "capability": "asking",
      "responses": {}
    }

    """,
    event: """
    {
      "kit": 2,
      "exchange": "event",
      "text": "An app tracks an event.",
      "at": "main",
      "request": {
        "method": "POST",
        "path": "/event",
        "headers": {
          "Content-Type": "application/json"
        },
        "body": {
          "name": "${name:text}"
        }
      },
      "bindings": {
        "default": {
          "link": {
            "code": "abc"
          }
        },
        "minimal": {
          "name": "Example"
        }
      },
      "responses": {
        "found": {
          "any": {
            "status": 200,
            "headers": {
              "X-A": [
                "1",
                "2"
              ]
            },
            "body": {
              "link": "${link:Link}"
            }
          }
        }
      }
    }

    """,
    link: """
    {
      "kit": 2,
      "model": "Link",
      "text": "A link.",
      "template": {
        "code": "${:text}"
      },
      "examples": {
        "full": {
          "code": "abc"
        }
      }
    }

    """,
  ]
}
