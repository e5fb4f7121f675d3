import AdapterProtocol
import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceBench

@Suite struct AdapterHelloTests {
  static let answer: JSON = [
    "protocolVersion": 1, "protocol": "parcel", "specRevision": "2026-03-12",
    "sdk": ["name": "parcel-dart", "version": "1.2.0", "language": "dart", "platform": "android"],
    "capabilities": ["events", "offline-queue"], "clocks": ["virtual", "real"], "instances": "many",
  ]

  @Test func readsAndWrites() throws {
    let hello = AdapterHello(
      protocolName: "parcel", specRevision: "2026-03-12", name: "parcel-dart", version: "1.2.0", language: "dart",
      platform: "android", capabilities: ["events", "offline-queue"], clocks: [.virtual, .real], instances: .many)
    #expect(try AdapterHello(.result(Self.answer), expecting: "parcel") == hello)
    #expect(hello.representation == Self.answer)
    #expect(
      hello.subject(isHonest: false)
        == Subject(
          name: "parcel-dart", version: "1.2.0", language: "dart", platform: "android",
          capabilities: ["events", "offline-queue"], isHonest: false))
  }

  @Test func readsWhatIsDeclared() throws {
    let declares: JSON = ["retryWindowMs": 30000, "mode": "batch", "isStrict": false]
    let hello = try AdapterHello(
      .result(Self.answer.setting(declares, at: JSONPath([.key("declares")]))), expecting: "parcel")
    #expect(hello.retryWindow == .seconds(30))
    #expect(hello.representation["declares"] == declares)
    #expect(try AdapterHello(.result(Self.answer), expecting: "parcel").retryWindow == nil)
  }

  @Test func languageAndPlatformMayBeLeftOut() throws {
    let answer = Self.answer.setting(["name": "n", "version": "1", "platform": .null], at: JSONPath([.key("sdk")]))
    let hello = try AdapterHello(.result(answer), expecting: "parcel")
    #expect(hello.language == nil)
    #expect(hello.platform == nil)
  }

  @Test(
    arguments: [
      ("$.protocolVersion", nil, "$.protocolVersion: expected a value, found nothing"),
      ("$.protocolVersion", 2, "speaks version 2 of the adapter protocol, and the kit speaks version 1"),
      ("$.protocolVersion", "1", "speaks version \"1\""),
      ("$.protocol", nil, "$.protocol: expected a value, found nothing"),
      ("$.protocol", "letter", "the protocol 'letter', and the run is about 'parcel': start another adapter"),
      ("$.specRevision", nil, "$.specRevision: expected a value"), ("$.sdk", nil, "$.sdk: expected a value"),
      ("$.sdk", "x", "$.sdk: expected an object"), ("$.sdk.name", nil, "$.sdk.name: expected a value, found nothing"),
      ("$.sdk.version", 1.2, "$.sdk.version: expected a string, found 1.2"),
      ("$.capabilities", nil, "$.capabilities: expected a value"),
      ("$.capabilities[1]", 7, "$.capabilities[1]: expected a string, found 7"),
      ("$.clocks", [], "$.clocks: expected at least one of virtual, scaled, real, found []"),
      ("$.clocks[0]", "fake", "$.clocks[0]: expected one of virtual, scaled, real, found \"fake\""),
      ("$.declares", ["a"], "$.declares: expected values by name, found [\"a\"]"),
      ("$.declares", ["a": [1]], "$.declares.a: expected a number, a text or a boolean, found [1]"),
      ("$.declares", ["a": .null], "$.declares.a: expected"),
      ("$.declares", ["retryWindowMs": "30 s"], "$.declares.retryWindowMs: expected a number, found \"30 s\""),
      ("$.declares", ["retryWindowMs": -1], "$.declares.retryWindowMs: expected milliseconds, 0 or more, found -1"),
      ("$.instances", "two", "$.instances: expected one of one, many, found \"two\""),
    ] as [(String, JSON?, String)])
  func refuses(path: String, value: JSON?, reason: String) throws {
    let answer = Self.answer.setting(value, at: try #require(JSONPath(path)))
    let failure = #expect(throws: AdapterFailure.self) { try AdapterHello(.result(answer), expecting: "parcel") }
    #expect(failure?.kind == .handshake)
    #expect(failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
  }

  @Test func refusesARefusal() {
    let failure = #expect(throws: AdapterFailure.self) {
      try AdapterHello(.error(CommandError(kind: "unsupported")), expecting: "parcel")
    }
    #expect(failure?.text.contains("refused 'hello'") == true)
  }
}
