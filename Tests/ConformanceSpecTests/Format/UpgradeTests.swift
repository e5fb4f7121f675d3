import ConformanceModel
import ConformanceSpec
import SpecDocuments
import Testing

@testable import Format

@Suite struct UpgradeTests {
  private static let cases = "spec/sample/cases/events.yaml"
  private static let exchange = "Fixtures/sample/exchanges/event.json"
  private static let model = "Fixtures/sample/models/Event.json"

  private let upgrade = Upgrade(
    ProtocolDefinition(
      name: "sample", title: "Sample", document: "Sample", revision: "1",
      services: [
        .init(name: ServiceName("api"), text: "What is asked."), .init(name: ServiceName("decoy"), text: "Nobody's."),
      ],
      roles: [
        .init(role: Role("sdk"), ports: Ports(hasDriver: true, upstream: [ServiceName("api"), ServiceName("decoy")])),
        .init(role: Role("server"), ports: Ports(downstream: [ServiceName("api")])),
      ], dialects: [Dialect("spec")],
      patience: [
        .init(name: "soon", time: .seconds(5), text: "One answer."),
        .init(name: "long", time: .seconds(120), text: "Three of them."),
      ]))

  private func upgraded(_ text: String, _ file: String = cases) throws -> String {
    try upgrade.text(of: file, bytes: Array(text.utf8))
  }

  /// A case with this part, indented as in a file.
  private func inCase(_ part: String, role: String = "sdk") -> String {
    let lines = part.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
    return "cases:\n  - case: a\n    role: \(role)\n\(lines)"
  }

  private func expect(
    _ old: String, becomes new: String, role: String = "sdk", _ location: SourceLocation = #_sourceLocation
  ) throws {
    let text = try upgraded(inCase(old, role: role))
    #expect(text == "kit: 2\n" + inCase(new, role: role), sourceLocation: location)
    #expect(try upgraded(text) == text, "again", sourceLocation: location)
  }

  @Test(
    arguments: [
      ("cases", "# Comments.\n\n# And more.\ncases: []\n", "# Comments.\n\n# And more.\nkit: 2\ncases: []\n"),
      ("requirements", "requirements:\n  - id: A-1   # why\n", "kit: 2\nrequirements:\n  - id: A-1   # why\n"),
      ("defects", "{ defects: [] }\n", "{ kit: 2, defects: [] }\n"),
      ("cases", "kit: 2\ncases:\n  - cut: main\n", "kit: 2\ncases:\n  - cut: main\n"),
      ("cases", "\"cases\": []\n", "kit: 2\n\"cases\": []\n"),
    ])
  func filesSayTheirVersion(folder: String, old: String, new: String) throws {
    #expect(try upgraded(old, "spec/sample/\(folder)/a.yaml") == new)
  }

  @Test(
    arguments: [
      ("returns: { a: { succeeds: true } }", "returns: { a: { $succeeds: true } }"),
      ("returns: { a: { \"succeeds\": true } }", "returns: { a: { \"$succeeds\": true } }"),
      (
        "returns: { a: { at-least: 1, below: 3 } }   # both", "returns: { a: { $at-least: 1, $below: 3 } }   # both"
      ),
      (
        "returns:\n  a:\n    one-of:\n      - not: null\n      - { every: { like: \"a: b\" } }",
        "returns:\n  a:\n    $one-of:\n      - $not: null\n      - { $every: { $like: \"a: b\" } }"
      ),
      // Only the first member makes an operator.
      ("returns: { a: { name: it's, not: { length: 1 } } }", "returns: { a: { name: it's, not: { $length: 1 } } }"),
      (
        "returns: { not: 1, a: { fails: { kind: x, below: 1 } } }",
        "returns: { not: 1, a: { $fails: { kind: x, below: 1 } } }"
      ),
      ("returns: { a: { $ref: 1, \"${b}\": 2 } }", "returns: { a: { $$ref: 1, \"${b}\": 2 } }"),
      ("count: { request: event, is: { above: 0 } }", "count: { request: event, is: { $above: 0 } }"),
      (
        "gap: { from: { request: a }, to: { request: b }, is: { at-most: 5 } }",
        "gap: { from: { request: a }, to: { request: b }, is: { $at-most: 5 } }"
      ),
      (
        "calledBack: { callback: link, times: { at-least: 1 }, with: { only: {} } }",
        "called-back: { callback: link, times: { $at-least: 1 }, with: { $only: {} } }"
      ),
      ("calledBack: { callback: link }", "called-back: { callback: link, times: 1 }"),
    ])
  func operatorsGetADollar(old: String, new: String) throws {
    try expect("claims:\n  - \(indented(old))", becomes: "claims:\n  - \(indented(new))")
  }

  /// A text whose later lines are indented below its first, behind a dash.
  private func indented(_ text: String) -> String { text.replacing("\n", with: "\n    ") }

  @Test(
    arguments: [
      ("where: { answered: { at-most: 299 } }", "where: { answered: { $status: ok } }"),
      ("where: { answered: { below: 300 } }", "where: { answered: { $status: ok } }"),
      ("where: { not: { answered: { at-most: 299 } } }", "where: { $not: { answered: { $status: ok } } }"),
      ("where: { answered: { at-most: 299, above: 200 } }", "where: { answered: { $at-most: 299, $above: 200 } }"),
      ("where: { answered: { at-most: 399 } }", "where: { answered: { $at-most: 399 } }"),
      ("where: { body: { answered: { at-most: 299 } } }", "where: { body: { answered: { $at-most: 299 } } }"),
    ])
  func whatWasAnsweredWellIsSaidInAWord(old: String, new: String) throws {
    try expect(
      "claims:\n  - never: { request: event, \(old) }", becomes: "claims:\n  - never: { request: event, \(new) }")
  }

  @Test(
    arguments: [
      ("{ call: start, as: a }", "{ call: start, as: a, need: either }", "sdk"),
      (
        "call: start\nas: \"a${n}\"  # why\nwith: {}", "call: start\nas: \"a${n}\"  # why\nneed: either\nwith: {}",
        "sdk"
      ),
      ("{ call: start, as: a, need: succeeds }", "{ call: start, as: a, need: succeeds }", "sdk"),
      ("{ call: start }", "{ call: start }", "sdk"),
      ("{ call: start, as: a }", "{ call: start, as: a }", "server"),
      ("{ send: event, as: a }", "{ send: event, as: a }", "server"),
      (
        "together:\n  - repeat: { times: 2, steps: [ { call: start, as: \"a${n}\" } ] }",
        "together:\n  - repeat: { times: 2, steps: [ { call: start, as: \"a${n}\", need: either } ] }", "sdk"
      ),
      (
        "{ call: start, with: { name: { repeat: x, times: 9 } } }",
        "{ call: start, with: { name: { $repeat: x, times: 9 } } }", "sdk"
      ),
      (
        "{ send: event, set: { $.a: { repeat: é, times: 9 } } }",
        "{ send: event, set: { $.a: { $repeat: é, times: 9 } } }", "server"
      ),
      ("settle: 5s # enough", "settle: soon # enough", "sdk"),
      ("settle: 6s", "settle: 6s", "sdk"),
      ("advance: 5s", "advance: 5s", "sdk"),
      ("{ await: { reply: a, within: 120s } }", "{ await: { reply: a, within: long } }", "sdk"),
      ("{ cut: { how: heal } }", "{ heal: all }", "sdk"),
      ("{ cut: { how: heal }, as: healed }", "{ heal: all, as: healed }", "sdk"),
      ("{ cut: { how: heal, exchange: event } }", "{ heal: event }", "sdk"),
      ("{ cut: { how: heal, upstream: decoy } }", "{ heal: { at: decoy } }", "sdk"),
      (
        "{ cut: { exchange: \"${e}\", how: heal, upstream: main } }", "{ heal: { exchange: \"${e}\", at: api } }", "sdk"
      ),
      ("cut:\n  how: heal\n  exchange: event\nas: healed", "heal: event\nas: healed", "sdk"),
      (
        "{ cut: { how: drop, exchange: event, where: { body: { not: 1 } } } }",
        "{ fault: { how: drop, exchange: event, where: { body: { $not: 1 } } } }", "sdk"
      ),
      (
        "cut:\n  { how: redirect, status: 307, location: \"${main.url}/x\" }",
        "fault:\n  { how: redirect, status: 307, location: \"${api.url}/x\" }", "sdk"
      ),
    ])
  func steps(old: String, new: String, role: String) throws {
    try expect("steps:\n  - \(indented(old))", becomes: "steps:\n  - \(indented(new))", role: role)
  }

  @Test(
    arguments: [
      ("never: { request: any }", "never: { request: any, at: api }"),
      ("never:\n  request: any # all\n  after: a", "never:\n  request: any # all\n  at: api\n  after: a"),
      ("never: { request: any, upstream: decoy }", "never: { request: any, at: decoy }"),
      ("never: { request: event, upstream: main }", "never: { request: event, at: api }"),
      ("never: { request: event }", "never: { request: event }"),
      ("check: { name: tls, with: { upstream: main } }", "check: { name: tls, with: { at: api } }"),
      (
        "equal: [ { request: event, at: $.a }, { request: event, upstream: decoy, at: $.a }, { returned: b, at: $.c } ]",
        "equal: [ { request: event, path: $.a }, { request: event, at: decoy, path: $.a }, { returned: b, path: $.c } ]"
      ),
      ("unique: { request: event, at: $.a }", "series: { request: event, path: $.a, is: different }"),
      (
        "unique:\n  request: event\n  at: $.a\n  after: b",
        "series:\n  request: event\n  path: $.a\n  is: different\n  after: b"
      ),
    ])
  func servicesHaveNames(old: String, new: String) throws {
    let other = "environment: { url: \"${decoy.url}\" }\nclaims:\n  - "
    try expect(other + indented(old), becomes: other + indented(new))
  }

  @Test func whatMayStandAnywhereStaysSoWhereThereIsOneService() throws {
    let text = "steps:\n  - fault: { how: drop }\nclaims:\n  - never: { request: any }"
    try expect(text.replacing("fault", with: "cut"), becomes: text)
  }

  @Test func aFaultWithoutAnExchangeIsThatOfTheFirstServiceWhereThereAreMore() throws {
    try expect(
      "environment: { url: \"${decoy.url}\" }\nsteps:\n  - cut: { how: drop }",
      becomes: "environment: { url: \"${decoy.url}\" }\nsteps:\n  - fault: { how: drop, at: api }")
  }

  @Test(
    arguments: [
      (
        "value: { repeat: x, times: 3 }", "{ call: start, with: { name: \"${value}\" } }",
        "value: { $repeat: x, times: 3 }", "{ call: start, with: { name: \"${value}\" } }"
      ),
      (
        "value: { how: drop, where: { body: { not: 1 } } }", "{ cut: \"${value}\" }",
        "value: { how: drop, where: { body: { $not: 1 } } }", "{ fault: \"${value}\" }"
      ),
      (
        "value: decoy, other: main", "{ await: { request: a, upstream: \"${value}\" }, as: \"${other}\" }",
        "value: decoy, other: main", "{ await: { request: a, at: \"${value}\" }, as: \"${other}\" }"
      ),
      (
        "value: main", "{ await: { request: a, upstream: \"${value}\" } }", "value: api",
        "{ await: { request: a, at: \"${value}\" } }"
      ),
      ("value: 5s", "{ settle: \"${value}\" }", "value: soon", "{ settle: \"${value}\" }"),
      ("value: 5s", "{ advance: \"${value}\" }", "value: 5s", "{ advance: \"${value}\" }"),
      (
        "value: { $.a: { absent: true } }", "{ send: a, set: \"${value}\" }", "value: { $.a: { $absent: true } }",
        "{ send: a, set: \"${value}\" }"
      ),
      // A value that no template uses is not a template.
      ("value: { not: 1 }", "{ restart: \"${value}\" }", "value: { not: 1 }", "{ restart: \"${value}\" }"),
    ])
  func rowsAreReadByThePlacesOfTheirNames(row: String, step: String, newRow: String, newStep: String) throws {
    try expect(
      "rows:\n  - { row: a, \(row) }\nsteps:\n  - \(step)",
      becomes: "rows:\n  - { row: a, \(newRow) }\nsteps:\n  - \(newStep)")
  }

  @Test(
    arguments: [
      ("url: ${main.url}/a", "url: ${api.url}/a"), ("url: \"${main.port:integer}\"", "url: \"${api.port:integer}\""),
      ("url: main.url # of ${main.url}", "url: main.url # of ${api.url}"), ("url: $${main.url}", "url: $${main.url}"),
    ])
  func addressesAreThoseOfTheService(old: String, new: String) throws {
    try expect("environment:\n  \(old)", becomes: "environment:\n  \(new)")
  }

  @Test func exchangesStandAtTheService() throws {
    let old = #"""
      {
        "exchange": "event", "text": "A \"b\"",
        "request": { "method": "POST", "path": "/a", "body": { "n": { "at-least": 1 }, "$a": 1, "not": 2 } },
        "bindings": { "default": { "n": { "not": 1 } } },
        "responses": { "ok": { "any": { "status": 200, "body": { "one-of": [ 1 ] } } } }
      }
      """#
    let new = #"""
      {
        "kit": 2, "exchange": "event", "text": "A \"b\"", "at": "api",
        "request": { "method": "POST", "path": "/a", "body": { "n": { "$at-least": 1 }, "$$a": 1, "not": 2 } },
        "bindings": { "default": { "n": { "not": 1 } } },
        "responses": { "ok": { "any": { "status": 200, "body": { "$one-of": [ 1 ] } } } }
      }
      """#
    let formatted = try Formatter.format(file: Self.exchange, bytes: Array(new.utf8)).text
    #expect(try upgraded(old, Self.exchange) == formatted)
    #expect(try upgraded(formatted, Self.exchange) == formatted)
  }

  @Test func examplesOfModelsAreValues() throws {
    #expect(
      try upgraded(#"{"model":"Event","template":{"a":{"not":null}},"examples":{"b":{"a":{"not":1}}}}"#, Self.model)
        == Formatter.format(
          file: Self.model,
          bytes: Array(
            #"{"kit":2,"model":"Event","template":{"a":{"$not":null}},"examples":{"b":{"a":{"not":1}}}}"#.utf8)
        ).text)
  }

  @Test func aDefinitionIsWrittenByAPerson() throws {
    let folder = CatalogueFolder(texts: ["spec/sample/protocol.yaml": "protocol: sample\n"])
    let error = #expect(throws: CatalogueError.self) { try Upgrade.files(of: "sample", in: folder) }
    #expect(
      error?.description
        == "spec/sample/protocol.yaml:1:1: error: $.kit: expected 2, found nothing — write 'kit: 2', the services and the "
        + "ports of the roles by hand; the other files follow")
  }
}
