import ConformanceModel
import ConformanceProvisioning
import SpecDocuments
import Templates
import Testing

@testable import ConformanceSpec

/// The file by which an operator provisions a server.
@Suite struct ProvisioningFileTests {
  private static let definition = ProtocolDefinition(
    name: "sample", title: "Sample", document: "D", revision: "1",
    services: [.init(name: "main", text: "")],
    roles: [
      .init(role: "sdk", ports: Ports(hasDriver: true, upstream: ["main"])),
      .init(role: "server", ports: Ports(downstream: ["main"])),
    ],
    dialects: ["spec", "old"],
    capabilities: [
      .init(name: "links", roles: ["server"], isRequired: false, text: ""),
      .init(name: "keys", roles: ["server"], isRequired: false, text: ""),
    ],
    commands: [
      .init(
        name: "makeLink", roles: ["server"], text: "", capabilities: ["links"],
        params: [
          "type": "object",
          "properties": [
            "code": ["type": "string"], "options": ["type": "object"], "state": ["enum": ["on", "off"]],
            "wish": [
              "type": "object", "additionalProperties": false,
              "properties": ["iosUrl": ["type": "string"], "tags": ["type": "object"]],
            ],
          ],
        ],
        result: true),
      .init(name: "initialize", roles: ["sdk"], text: "", params: true, result: true),
    ], values: [.init(name: "apiKey", text: "", capability: "keys")], errorKinds: [], secrets: ["apiKey"])

  private static let exchanges = [
    Exchange(name: "ask", text: "", service: "main", requests: [:], boundHoles: ["name"], capability: nil),
    Exchange(name: "event", text: "", service: "main", request: .init(method: "GET", path: Template(.literal("/e")))),
  ]

  private static let variables = ["TOKEN": "t0ken-0123", "QUOTE": "a\"${b}", "EMPTY": "", "SHORT": "abc"]

  func read(
    _ text: String, _ definition: ProtocolDefinition = definition, variables: [String: String] = variables
  ) throws -> Provisioning {
    try ProvisioningFile(CatalogueFolder(root: Sample.repository), definition: definition, exchanges: Self.exchanges)
      .read(Array(text.utf8), file: "p.yaml", variables: variables)
  }

  @Test(arguments: [
    ("{}", Provisioning.Limits()), ("{ deadline: 8s, attempts: 2 }", .init(deadline: .seconds(8), attempts: 2)),
    ("{ retryWindow: 0s }", .init(retryWindow: .zero)),
    ("{ retryWindow: 500ms }", .init(retryWindow: .milliseconds(500))),
  ])
  func whatASubjectPromisesOfItsPatienceIsRead(_ text: String, _ limits: Provisioning.Limits) throws {
    #expect(try read("url: http://h\nlimits: \(text)").limits == limits)
  }

  @Test func everyMemberIsRead() throws {
    let provisioning = try read(
      """
      url: https://host/base
      dialect: old
      headers: { X-A: "1", x-b: "${env:TOKEN}" }
      values: { apiKey: k3y-0123 }
      secrets: [hush-hush]
      clientAddressHeader: X-Forwarded-For
      trust: ca.pem
      hooks:
        makeLink:
          http: { method: PUT, url: "https://admin/${code}", headers: { Authorization: Bearer abcd }, body: { c: "${code}" } }
          result: { id: "${answer.body.id}" }
          timeLimit: 2m
      """)
    #expect(provisioning.urls["main"] == "https://host/base")
    #expect(provisioning.dialect == "old")
    #expect(provisioning.headers == ["X-A": "1", "x-b": "t0ken-0123"])
    #expect(provisioning.values == ["apiKey": "k3y-0123"])
    #expect(provisioning.clientAddressHeader == "X-Forwarded-For")
    #expect(provisioning.trust == "ca.pem")
    #expect(Set(provisioning.secrets) == ["hush-hush", "t0ken-0123", "k3y-0123", "abcd"])
    let hook = try #require(provisioning.hooks["makeLink"])
    #expect(hook.timeLimit == .seconds(120))
    guard case .http(let call) = hook.action, case .url(let url) = call.target else {
      Issue.record("\(hook)")
      return
    }
    #expect(call.method == "PUT")
    #expect(try url.renderText(["code": "c1"]) == "https://admin/c1")
    #expect(try call.result.render(["answer": ["body": ["id": 7]]]) == ["id": 7])
  }

  @Test func aProgramIsAListOfTemplates() throws {
    let provisioning = try read("hooks: { makeLink: { program: [./make, \"${code}\", \"${server.url}\"] } }")
    guard let hook = provisioning.hooks["makeLink"], case .program(let words) = hook.action else {
      Issue.record("\(provisioning)")
      return
    }
    #expect(hook.timeLimit == Provisioning.Hook.patience)
    #expect(try words.map { try $0.renderText(["code": "c", "server": ["url": "u"]]) } == ["./make", "c", "u"])
  }

  /// A value from outside stays a text: holes in it are not filled.
  @Test func theEnvironmentFillsNoHoles() throws {
    let provisioning = try read(
      "values: { apiKey: \"${env:QUOTE}\" }\nhooks: { makeLink: { program: [x, \"-${env:QUOTE}-\"] } }")
    #expect(provisioning.values == ["apiKey": "a\"${b}"])
    guard case .program(let words)? = provisioning.hooks["makeLink"]?.action else { return }
    #expect(try words[1].renderText([:]) == "-a\"${b}-")
  }

  /// A value from the environment is a secret only if its name, its place or the file says so.
  @Test(
    arguments: [
      ("headers: { X-Tenant: \"${env:V}\" }", []),
      ("headers: { X-Tenant: \"${env:TENANT_TOKEN}\" }", ["v4lue-2"]),
      ("headers: { X-Api-Key: \"${env:V}\" }", ["v4lue-1"]),
      ("headers: { X-Tenant: \"${env:V}\" }\nsecrets: [\"${env:V}\"]", ["v4lue-1"]),
      ("values: { apiKey: \"${env:V}\" }", ["v4lue-1"]),
      ("hooks: { makeLink: { http: { path: /, body: { user: \"${env:V}\", password: p4ssword } } } }", ["p4ssword"]),
      ("hooks: { makeLink: { http: { path: /, body: { password: \"${code}\" } } } }", []),
    ] as [(String, [String])])
  func onlyWhatIsSecretIsASecret(text: String, secrets: [String]) throws {
    let found = try read(text, variables: ["V": "v4lue-1", "TENANT_TOKEN": "v4lue-2"]).secrets
    #expect(Set(found) == Set(secrets))
  }

  private static let numbered: ProtocolDefinition = {
    var definition = Self.definition
    definition.values = [.init(name: "field", text: "", capability: "keys", isNumber: true)]
    return definition
  }()

  /// A value from the environment is always a text.
  @Test(arguments: ["2575", "\"2575\"", "\"${env:FIELD}\""]) func aNumberMayBeATextOfDigits(_ field: String) throws {
    let read = try read("values: { field: \(field) }", Self.numbered, variables: ["FIELD": "2575"])
    #expect(read.values == ["field": 2575])
  }

  @Test(arguments: ["many", "25.5", "\"2575 \"", "true"]) func anotherValueIsNoNumber(_ field: String) throws {
    let error = #expect(throws: CatalogueError.self) { try read("values: { field: \(field) }", Self.numbered) }
    #expect("\(try #require(error))".contains("$.values.field: expected a whole number, found"))
  }

  @Test func theURLAndTheDialectAreNoSecrets() throws {
    let provisioning = try read("url: \"${env:U}\"\ndialect: \"${env:D}\"", variables: ["U": "http://h", "D": "old"])
    #expect(provisioning.urls["main"] == "http://h")
    #expect(provisioning.dialect == "old")
    #expect(provisioning.secrets.isEmpty)
  }

  @Test(arguments: [
    ("", "a mapping, found an empty file"),
    ("url: [", "p.yaml:"),
    ("ulr: http://h", "\"ulr\" — did you mean \"url\"?"),
    ("url: ''", "a text that is not empty"),
    ("values: { apiKey: [] }", "$.values.apiKey: expected a text, a number, true or false, found []"),
    ("values: { apiKye: abcd }", "$.values.apiKye: expected a value of the protocol: apiKey, found 'apiKye' — did"),
    ("values: { apiKey: \"${env:TOKN}\" }", "TOKN to be set, found no variable of this name — did you mean \"TOKEN\""),
    ("values: { apiKey: \"${env:EMPTY}\" }", "EMPTY to be set, found an empty one"),
    ("values: { apiKey: \"${env:SHORT}\" }", "secrets of at least 4 characters, found in SHORT one of 3"),
    ("secrets: [abc]", "secrets of at least 4 characters, found one of 3"),
    ("headers: { X-Api-Key: abc }", "$.headers.X-Api-Key: expected secrets of at least 4 characters, found one of 3"),
    (
      "hooks: { makeLink: { program: [x, \"" + String(repeating: "y", count: 50_000) + "\"] } }",
      "$.hooks.makeLink.program[1]: expected a text of at most 40960 bytes, found one of 50000"
    ),
    ("dialect: odl", "$.dialect: expected one of spec, old, found \"odl\" — did you mean \"old\"?"),
    ("clientAddressHeader: \"X: Y\"", "$.clientAddressHeader: expected the name of a header field"),
    ("headers: { X: \"a\\nb\" }", "$.headers.X: expected a text on one line"),
    ("hooks: { makeLnk: { program: [x] } }", "$.hooks.makeLnk: expected a command for a server: makeLink"),
    ("hooks: { initialize: { program: [x] } }", "$.hooks.initialize: expected a command for a server: makeLink"),
    ("hooks: { makeLink: { program: [] } }", "$.hooks.makeLink.program: expected at least 1"),
    ("hooks: { makeLink: { program: x } }", "$.hooks.makeLink.program: expected a program and its arguments"),
    ("hooks: { makeLink: { } }", "$.hooks.makeLink"),
    ("hooks: { makeLink: { program: [x], http: { path: / } } }", "$.hooks.makeLink"),
    ("hooks: { makeLink: { program: [x], timeLimit: soon } }", "$.hooks.makeLink.timeLimit: expected a time such as"),
    ("hooks: { makeLink: { http: { path: x } } }", "$.hooks.makeLink.http.path: expected a path that begins with /"),
    ("hooks: { makeLink: { http: { } } }", "$.hooks.makeLink.http"),
    ("hooks: { makeLink: { http: { path: /, url: u } } }", "$.hooks.makeLink.http"),
    ("hooks: { makeLink: { http: { path: \"/${cod}\" } } }", "found ${cod} — did you mean \"code\"?"),
    (
      "hooks: { makeLink: { http: { path: \"/${answer.body}\" } } }",
      "p.yaml:1:30: error: $.hooks.makeLink.http.path: expected holes with a name out of code, options, state, wish, server.url, now"
    ),
    ("hooks: { makeLink: { http: { path: \"/${apiKey}\" } } }", "found ${apiKey} — give it in 'values'"),
    (
      "headers: { X-Key: \"${apiKey}\" }",
      "$.headers.X-Key: expected a text without holes, or with ${env:NAME}, found ${apiKey}"
    ),
    ("values: { apiKey: abc }", "$.values.apiKey: expected secrets of at least 4 characters, found one of 3"),
    ("values: { apiKey: 123 }", "$.values.apiKey: expected secrets of at least 4 characters, found one of 3"),
    ("headers: { Authorization: Bearer abc }", "$.headers.Authorization: expected secrets of at least 4 characters"),
    (
      "exchanges: { ask: { method: GET, path: /, headers: { cookie: abc } } }",
      "$.exchanges.ask.headers.cookie: expected secrets of at least 4 characters, found one of 3"
    ),
    ("url: \"http://anna:abc@host/\"", "$.url: expected secrets of at least 4 characters, found one of 3"),
    ("slots: 2\nurl: http://h", "p.yaml:1:1: error: $.slots: expected 'start' beside it"),
    ("start: { program: [x] }", "$.start: expected ${main.port} in 'program' or 'environment', or 'main' in 'urls'"),
    (
      "slots: 2\nurl: http://h\nstart: { program: [x] }",
      "$.slots: expected 1 where 'main' has a fixed address, found 2"
    ),
    (
      "slots: 2\nstart: { program: [x, \"${main.port}\"] }",
      "$.slots: expected 1 for a subject that calls no service of the kit, found 2"
    ),
    ("start: { program: [x, \"${main.prot}\"] }", "$.start.program[1]: expected holes with a name out of main.url"),
    ("start: { program: [x, \"${mian.port}\"] }", "found ${mian.port} — did you mean \"main.port\"?"),
    (
      "start: { program: [x], environment: { P: \"${main.port}\", K: \"${apiKey}\" } }",
      "$.start.environment.K: expected"
    ),
    ("hooks: { makeLink: { http: { path: / }, result: { id: { $at-least: 1 } } } }", "from which a value can be made"),
    (
      "exchanges: { aks: { method: GET, path: / } }",
      "p.yaml:1:14: error: $.exchanges.aks: expected a bound exchange: ask, found 'aks' — did you mean \"ask\"?"
    ),
    (
      "exchanges: { event: { method: GET, path: / } }",
      "$.exchanges.event: expected a bound exchange: ask, found 'event'"
    ),
    ("exchanges: { ask: { method: GET, path: \"/${nam}\" } }", "found ${nam} — did you mean \"name\"?"),
    ("answers: { aks: { id: $.id } }", "$.answers.aks: expected an exchange: ask, event, found 'aks' — did you mean"),
    ("probe: { exchange: ask }", "$.probe.reaches"),
    (
      "probe: { exchange: ask, reaches: [main] }", "$.probe.exchange: expected an exchange that 'exchanges' says how to"
    ),
    (
      "probe: { exchange: event, reaches: [main] }",
      "$.probe.reaches[0]: expected a service that the subject calls, of which there are none, found"
    ),
  ])
  func whatIsWrongIsTold(text: String, says: String) throws {
    let error = #expect(throws: CatalogueError.self) { _ = try read(text) }
    #expect("\(String(describing: error))".replacing("\\\"", with: "\"").contains(says), "\(String(describing: error))")
  }

  private static let middle = ProtocolDefinition(
    name: "middle", title: "Middle", document: "D", revision: "1", services: [],
    roles: [
      .init(role: "server", ports: Ports(downstream: ["main", "log"])),
      .init(role: "backend", ports: Ports(upstream: ["main"], downstream: ["app"])),
    ], dialects: ["spec"], values: [.init(name: "key", text: "", capability: "keys")])

  private static let app = Exchange(
    name: "pass", text: "", service: "app", requests: [:], boundHoles: ["session"], capability: nil)

  private func readBackend(_ text: String, addressed: Set<ServiceName> = []) throws -> Provisioning {
    try ProvisioningFile(
      CatalogueFolder(root: Sample.repository), definition: Self.middle, exchanges: [Self.app] + Self.exchanges
    ).read(
      Array((text + "\nexchanges: { pass: { method: GET, path: \"/${session}\" } }").utf8), file: "b.yaml",
      variables: [:], for: .init(role: "backend", addressed: addressed))
  }

  /// A binding file is validated against the ports of the role that its subject plays.
  @Test(arguments: [
    // The address of a called service may be given in parts, but it is not the port to listen on.
    ("start: { program: [x, \"${main.port}\"] }", "b.yaml:1:1: error: $.start: expected ${app.port} in 'program'"),
    (
      "start: { program: [x, \"${app.port}\", \"${log.url}\"] }",
      "b.yaml:1:38: error: $.start.program[2]: expected holes"
    ),
    (
      "probe: { exchange: pass, with: { session: s }, reaches: [log] }",
      "$.probe.reaches[0]: expected a service that the subject calls: main, found \"log\""
    ),
    (
      "probe: { exchange: pass, reaches: [main] }",
      "$.probe: expected a value for ${session} of 'pass' in 'with', found none"
    ),
    ("probe: { exchange: pass, with: { sesion: s }, reaches: [main] }", "found none — did you mean \"sesion\"?"),
    (
      "probe: { exchange: pass, with: { session: \"${key}\" }, reaches: [main] }",
      "$.probe.with.session: expected holes with a name out of now, today, unique, app.url"
    ),
    (
      "probe: { exchange: pas, with: { session: s }, reaches: [main] }",
      "ask for, found \"pas\" — did you mean \"pass\"?"
    ),
    (
      "probe: { exchange: event, reaches: [main] }",
      "$.probe.exchange: expected an exchange at a service that the subject offers: app, found \"event\""
    ),
  ])
  func whatTheRoleLacksIsTold(text: String, says: String) throws {
    let error = #expect(throws: CatalogueError.self) { _ = try readBackend(text) }
    #expect("\(String(describing: error))".contains(says), "\(String(describing: error))")
  }

  @Test(arguments: [
    "start: { program: [x, \"${app.port}\", \"${main.host}\", \"${main.port}\"], environment: { U: \"${main.url}\" } }\nslots: 3",
    "start: { program: [x], environment: { HERE: \"${app.url}\" } }",
    "start: { program: [x] }\nurls: { app: http://h }\nslots: 1",
    "values: { key: k-01 }\nprobe: { exchange: pass, with: { session: \"${key}\" }, reaches: [main] }",
    "limits: { attempts: 2 }\nstart: { program: [x, \"${app.port}\", \"${limits.attempts}\"] }",
  ])
  func whatTheRoleHasIsTaken(text: String) throws { _ = try readBackend(text) }

  @Test func anAddressBesideTheFileIsFixedToo() throws {
    _ = try readBackend("start: { program: [x] }", addressed: ["app"])
    let slots = "slots: 2\nstart: { program: [x, \"${app.port}\"] }"
    #expect(throws: CatalogueError.self) { try readBackend(slots, addressed: ["app"]) }
  }

  @Test func whatIsStartedAndAskedKnowsItsPlace() throws {
    let file = try readBackend(
      "start: { program: [x, \"${app.port}\"] }\nprobe: { exchange: pass, with: { session: s }, reaches: [main] }")
    #expect(file.start?.place.map { "\($0)" } == "b.yaml:1:1: $.start")
    #expect(file.probe?.place.map { "\($0)" } == "b.yaml:2:1: $.probe")
  }

  @Test func namesThatACaseHasFillARequestToo() throws {
    let provisioning = try read(
      "values: { apiKey: k3y-0123 }\nexchanges: { ask: { method: GET, path: \"/${name}/${apiKey}/${now}/${unique}\" } }"
    )
    #expect(provisioning.requests["ask"]?.path.holeNames == ["name", "apiKey", "now", "unique"])
  }

  /// A framework such as Express reads no body without a content type.
  @Test(arguments: [
    ("body: { a: \"${name}\" }", ["Content-Type": "application/json"]),
    ("body: [1]", ["Content-Type": "application/json"]),
    ("body: \"a=${name}\"", [:]),
    ("headers: { content-type: application/vnd.a+json }, body: { a: 1 }", ["content-type": "application/vnd.a+json"]),
  ])
  func aBodyThatIsWrittenAsJSONSaysSo(request: String, headers: [String: String]) throws {
    let provisioning = try read("exchanges: { ask: { method: POST, path: /, \(request) } }")
    #expect(try provisioning.requests["ask"]?.headers.mapValues { try $0.renderText([:]) } == headers)
  }

  @Test func servicesCanShareABaseURL() throws {
    let definition = ProtocolDefinition(
      name: "two", title: "Two", document: "D", revision: "1", services: [],
      roles: [.init(role: "server", ports: Ports(downstream: ["a", "b"]))], dialects: ["spec"])
    #expect(try read("urls: { a: http://h/a, b: http://h/b }", definition).urls.count == 2)
    let shared = try read("urls: { a: http://h, b: http://h/ }", definition)
    #expect(shared.urls == ["a": "http://h", "b": "http://h/"])
  }

  /// If the hole of an optional member is misspelt, the member would be missing in every request.
  @Test(arguments: [
    ("\"url?\": \"${wish.iosurl}\"", "$.hooks.makeLink.http.body.url?", "${wish.iosurl}", "wish.iosUrl"),
    ("url: \"${wish.iosurl}\"", "$.hooks.makeLink.http.body.url", "${wish.iosurl}", "wish.iosUrl"),
    ("\"url?\": \"x-${wish.isoUrl}\"", "$.hooks.makeLink.http.body.url?", "${wish.isoUrl}", "wish.iosUrl"),
  ])
  func rejectsHoleForAPartThatNoParameterHas(_ body: String, _ path: String, _ hole: String, _ hint: String) {
    let error = #expect(throws: CatalogueError.self) {
      try read("url: http://h\nhooks:\n  makeLink:\n    http: { path: /l, body: { \(body) } }\n")
    }
    let text = String(describing: error)
    #expect(text.contains("p.yaml:4:"), "\(text)")
    #expect(text.contains("\(path): expected a part of 'wish' out of wish.iosUrl, wish.tags, found \(hole)"), "\(text)")
    #expect(text.contains(hint), "\(text)")
  }

  @Test(arguments: ["${wish.iosUrl}", "${wish.tags.anything}", "${options.anything}", "${wish}"])
  func acceptsHoleForAPartThatAParameterMayHave(_ hole: String) throws {
    _ = try read("url: http://h\nhooks: { makeLink: { http: { path: /l, body: { \"x?\": \"\(hole)\" } } } }")
  }

  /// The page's example of a server and the running one, validated against their protocol.
  @Test func theExamplesAreRead() async throws {
    let folder = CatalogueFolder(root: Sample.repository)
    let definition = try await CatalogueLoader(folder).sources(of: "linkforty").definition.value
    let page = String(decoding: try folder.bytes(of: "spec/kit/provisioning.md"), as: UTF8.self)
    let example = try #require(
      page.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "\n```").first)
    let running = String(
      decoding: try folder.bytes(of: "Examples/linkforty-server/provisioning.yaml"), as: UTF8.self)
    for text in [example, running] {
      let names = text.matches(of: /\$\{env:(\w+)\}/).map { String($0.1) }
      let variables = Dictionary(names.map { ($0, "value of \($0)") }) { first, _ in first }
      let provisioning = try read(text, definition, variables: variables)
      #expect(Set(provisioning.hooks.keys) == Set(definition.commands(of: "server").map(\.name)))
      #expect(Set(provisioning.values.values.keys) == Set(definition.values.map(\.name)))
    }
  }
}
