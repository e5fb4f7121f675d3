import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import JSONKit
import Testing

@testable import Adapters
@testable import Processes

@Suite struct AdapterHelloTests {
  static let digest = String(repeating: "0a", count: 32)
  static let answer: JSON = [
    "protocolVersion": 1, "protocol": "parcel", "specRevision": "2026-03-12",
    "sdk": [
      "name": "parcel-dart", "version": "1.2.0", "language": "dart", "platform": "android",
      "package": "pkg:pub/parcel@1.2.0", "files": ["lib/parcel.dart": .string(digest)],
    ],
    "capabilities": ["events", "offline-queue"], "clocks": ["virtual", "real"], "instances": "many",
  ]

  @Test func readsAndWrites() throws {
    let hello = AdapterHello(
      protocolName: "parcel", specRevision: "2026-03-12", name: "parcel-dart", version: "1.2.0", language: "dart",
      platform: "android",
      build: SubjectBuild(packageURL: "pkg:pub/parcel@1.2.0", files: ["lib/parcel.dart": Self.digest]),
      capabilities: ["events", "offline-queue"], clocks: [.virtual, .real], instances: .many)
    #expect(try AdapterHello(.result(Self.answer), expecting: "parcel") == hello)
    #expect(hello.representation == Self.answer)
    #expect(
      hello.subject(isHonest: false, abilities: Set(HostAbility.allCases))
        == Subject(
          name: "parcel-dart", version: "1.2.0", language: "dart", platform: "android",
          capabilities: ["events", "offline-queue"], isHonest: false))
  }

  /// Nothing in `hello` is longer than a name is, and no list longer than one that somebody reads.
  @Test(
    arguments: [
      (
        ["sdk", "name"], .string(String(repeating: "é", count: 201)),
        "$.sdk.name: expected a text of at most 200 characters, found one of 201"
      ),
      (
        ["specRevision"], .string(String(repeating: "1", count: 1 << 20)),
        "$.specRevision: expected a text of at most 200 characters"
      ),
      (
        ["capabilities"], .array((0...500).map { .string("c\($0)") }),
        "$.capabilities: expected at most 500 of them, found 501"
      ),
      (
        ["capabilities"], [.string(String(repeating: "c", count: 201))],
        "$.capabilities[0]: expected a text of at most 200"
      ),
      (
        ["dialects"], .array((0...500).map { .string("d\($0)") }), "$.dialects: expected at most 500 of them, found 501"
      ),
      (
        ["sdk", "name"], "", "$.sdk.name: expected a text with at least one visible character, found \"\""
      ),
      (["sdk", "version"], " \t", "$.sdk.version: expected a text with at least one visible character"),
      (["sdk", "name"], "\u{200B}\u{2060}", "$.sdk.name: expected a text with at least one visible character"),
      (
        ["declares", "mode"], .string(String(repeating: "m", count: 201)),
        "$.declares.mode: expected a text of at most 200"
      ),
    ] as [([String], JSON, String)])
  func whatIsTooMuchIsRefused(path: [String], value: JSON, says: String) throws {
    let declared = Self.answer.setting(["mode": "batch"], at: JSONPath([.key("declares")]))
    let answer = declared.setting(value, at: JSONPath(path.map { .key($0) }))
    let problem = try #require(throws: JSONField.Problem.self) { try AdapterHello(JSONField(answer)) }
    #expect("\(problem)".contains(says), "\(problem)")
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
      ("$.protocol", "letter", "the protocol 'letter', but the run is about 'parcel': start another adapter"),
      ("$.specRevision", nil, "$.specRevision: expected a value"), ("$.sdk", nil, "$.sdk: expected a value"),
      ("$.sdk", "x", "$.sdk: expected an object"), ("$.sdk.name", nil, "$.sdk.name: expected a value, found nothing"),
      ("$.sdk.version", 1.2, "$.sdk.version: expected a string, found 1.2"),
      ("$.sdk.package", "parcel", "$.sdk.package: expected a package URL, such as pkg:npm/acme-links@1.2.0"),
      ("$.sdk.package", "pkg:pub/a b", "$.sdk.package: expected a package URL"),
      ("$.sdk.files", ["../lib.dart"], "$.sdk.files: expected an object"),
      (
        "$.sdk.files", ["../lib.dart": .string(digest)],
        "expected a path inside the repository, such as src/index.js, as the key"
      ),
      ("$.sdk.files", ["/lib.dart": .string(digest)], "expected a path inside the repository"),
      ("$.sdk.files", ["lib.dart": "0A"], "expected a SHA-256 in 64 lower-case hexadecimal digits, found \"0A\""),
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
    let failure = #expect(throws: ProgramFailure.self) { try AdapterHello(.result(answer), expecting: "parcel") }
    #expect(failure?.kind == .handshake)
    #expect(failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
  }

  private static let definition = ProtocolDefinition(
    name: "parcel", title: "Parcel", document: "", revision: "2026-03-12", services: [],
    roles: [
      .init(role: "sdk", ports: Ports(hasDriver: true)),
      .init(role: "server", ports: Ports(downstream: ["main"])),
    ], dialects: ["core", "cloud"],
    capabilities: [
      .init(name: "events", roles: ["sdk"], isRequired: true, text: ""),
      .init(name: "offline-queue", roles: ["sdk"], isRequired: false, text: ""),
      .init(name: "operator", roles: ["server"], isRequired: false, text: ""),
    ])

  /// A misspelt name would skip cases, or fail them, without a word about the name.
  @Test(
    arguments: [
      (
        "capabilities", ["events", "offline-qeue"],
        "unknown capability 'offline-qeue' at $.capabilities[1]: did you mean 'offline-queue'?"
      ),
      ("capabilities", ["operator"], "unknown capability 'operator' at $.capabilities[0]: Expected a name"),
      ("dialects", ["core", "clowd"], "unknown dialect 'clowd' at $.dialects[1]: did you mean 'cloud'?"),
      (
        "declares", ["retryWindow": 5],
        "unknown declared value 'retryWindow' at $.declares: did you mean 'retryWindowMs'?"
      ),
      (
        "declares", ["batchSize": 5, "colour": "red"],
        "unknown declared value 'colour' at $.declares: Expected a name that the protocol has; they are batchSize, "
      ),
    ] as [(String, JSON, String)])
  func rejectsUnknownNames(member: String, value: JSON, reason: String) throws {
    let hello = try AdapterHello(JSONField(Self.answer.setting(value, at: JSONPath([.key(member)]))))
    let failure = #expect(throws: ProgramFailure.self) {
      try hello.checkNames(of: Self.definition) { ["batchSize"] }
    }
    #expect(failure?.kind == .handshake)
    #expect(failure?.text.contains(reason) == true, "\(failure?.text ?? "")")
  }

  @Test func takesKnownNames() throws {
    let known = Self.answer.setting(["core"], at: JSONPath([.key("dialects")]))
      .setting(["batchSize": 5, "retryWindowMs": 100], at: JSONPath([.key("declares")]))
    try AdapterHello(JSONField(known)).checkNames(of: Self.definition) { ["batchSize"] }
  }

  /// The kit can kill what it starts, whatever the adapter says.
  @Test(
    arguments: [
      (nil, [.kill, .files], nil), (["kill", "files"], [.kill, .files], nil), ([], [], nil), (["kill"], [], nil),
      (["files"], [.kill, .files], "leaves out 'kill' at $.host"), ([], [.kill], "leaves out 'kill' at $.host"),
      (["kill"], [.kill, .files], "leaves out 'files' at $.host"),
    ] as [(JSON?, Set<HostAbility>, String?)])
  func deniesNoAbilityThatTheCarrierGives(host: JSON?, abilities: Set<HostAbility>, reason: String?) throws {
    let hello = try AdapterHello(
      JSONField(host.map { Self.answer.setting($0, at: JSONPath([.key("host")])) } ?? Self.answer))
    var found: String?
    do { try hello.checkHost(has: abilities) } catch { found = error.text }
    #expect((found == nil) == (reason == nil))
    #expect(found?.contains(reason ?? "") ?? true, "\(found ?? "")")
  }

  @Test func refusesARefusal() {
    let failure = #expect(throws: ProgramFailure.self) {
      try AdapterHello(.error(CommandError(kind: "unsupported")), expecting: "parcel")
    }
    #expect(failure?.text.contains("refused 'hello'") == true)
  }
}
