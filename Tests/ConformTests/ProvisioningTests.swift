import Foundation
import Testing

/// A provisioned server: the reference server, run like an unknown one.
@Suite struct ProvisioningTests {
  /// A catalogue with an additional file of cases, in a folder that is the catalogue's root.
  private static func scratch() throws -> Scratch {
    let folder = try Scratch()
    for name in ["spec", "Fixtures"] {
      try FileManager.default.copyItem(
        atPath: Command.buildFolder + "/conform_ConformanceData.resources/" + name, toPath: folder.file(name))
    }
    try folder.write("spec/linkforty/cases/provisioned.yaml", cases)
    return folder
  }

  private static let cases = """
    kit: 2
    cases:
      - case: provisioned.whole
        title: A link of a template is found, and is not when it is switched off
        role: server
        needs: [provisioned-links, link-states, click-ageing, client-address, api-keys, known-template]
        steps:
          - { call: createTemplate, with: { slug: provisioned }, as: template }
          - call: createLink
            with: { options: { webUrl: "https://shop.example.com/", templateId: "${template.templateId}" } }
            as: link
          - send: resolve
            with: { shortCode: "${link.shortCode}" }
            headers: { Authorization: "Bearer ${apiKey}" }
            from: 81.2.3.4
            as: found
          - { call: ageClicks, with: { shortCode: "${link.shortCode}", seconds: 60 } }
          - { call: setLinkState, with: { shortCode: "${link.shortCode}", state: inactive } }
          - { send: resolve, with: { shortCode: "${link.shortCode}" }, as: gone }
        claims:
          - requirement: LFS-HLT-001
            returns:
              found: { status: 200, body: { shortCode: "${link.shortCode}" } }
              gone: { status: 404 }
              link: { templateSlug: "${template.templateSlug}", templateId: { $not: "${templateId}" } }
      - case: provisioned.link
        title: A link is found
        role: server
        needs: [provisioned-links]
        steps:
          - { call: createLink, with: { options: {} }, as: link }
          - { send: resolve, with: { shortCode: "${link.shortCode}" }, as: found }
        claims:
          - { requirement: LFS-HLT-001, returns: { found: { status: 200 } } }

    """

  /// Runs the reference server during some work, which gets its URL.
  private static func serving(_ conform: Command, _ work: (_ url: String) async throws -> Void) async throws {
    let output = Pipe()
    let server = try conform.start(["serve", "--control", "--quiet"], output: .pipe(output))
    defer { server.signal(SIGTERM) }
    var lines = ServeTests.lines(of: output).makeAsyncIterator()
    let first = try #require(await lines.next())
    try await work(String(try #require(first.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+/)).output))
    server.signal(SIGINT)
    #expect(await server.ending == .exited(code: 0))
  }

  private static let example = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/linkforty-server/provisioning.yaml").path

  @Test func theExampleRunsAgainstTheReferenceServer() async throws {
    let folder = try Self.scratch()
    let conform = Command(in: folder)
    let key = "lf_key_of-the-environment"
    try await Self.serving(conform) { url in
      let result = try await conform.run(
        ["run", "--root", ".", "--server-file", Self.example, "--server", url, "--case", "provisioned.*"],
        environment: ["LINKFORTY_API_KEY": key])
      #expect(result.code == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("2 passed"))
    }
    // Evidence contains commands and results, but no secrets.
    let evidence = try folder.text("conform-report/evidence/provisioned.whole@spec.jsonl")
    #expect(evidence.contains(#""event":"command","id":4,"name":"setLinkState""#))
    #expect(evidence.contains(#""event":"reply","id":4,"result":null"#))
    #expect(evidence.contains(#"{"name":"X-Forwarded-For","value":"81.2.3.4"}"#))
    #expect(evidence.contains(#"{"name":"X-Test-Run","value":"conform"}"#))
    #expect(evidence.contains("Bearer [redacted:apiKey]"))
    for file in try folder.names(in: "conform-report/evidence").map({ "evidence/" + $0 }) + ["run.jsonl", "junit.xml"] {
      #expect(try folder.text("conform-report/" + file).contains(key) == false)
    }
  }

  @Test func whatIsNotLentIsSkippedAndSaysWhatToAdd() async throws {
    let folder = try Self.scratch()
    let conform = Command(in: folder)
    try await Self.serving(conform) { url in
      try folder.write("some.yaml", "url: \(url)\nclientAddressHeader: X-Forwarded-For\n")
      let words = ["run", "--root", ".", "--server-file", "some.yaml", "--case", "provisioned.*"]
      let result = try await conform.run(words + ["--case", "server.health.status"])
      #expect(result.code == 0, "\(result.output)\(result.errors)")
      #expect(result.output.contains("2 passed, 2 skipped"))
      // A run that skips everything has no result.
      let empty = try await conform.run(words)
      #expect(empty.code == 3)
      #expect(empty.output.contains("INCOMPLETE: nothing passed"))
    }
    #expect(
      try folder.text("conform-report/junit.xml").contains(
        "its provisioning file has to give hooks.createTemplate and hooks.createLink"))
  }

  /// Pages in a browser can reach a server on this machine: from another origin, and by a name that resolves to it.
  @Test(arguments: [
    ("Origin", "http://evil.example", "403"), ("Host", "evil.example", "403"),
    ("Host", "localhost.evil.example:80", "403"), ("Content-Type", "application/jsonfoo", "400"),
    ("Content-Type", "application/json-patch+json", "400"), ("Host", "LOCALHOST", "200"),
    ("Content-Type", "Application/JSON ; charset=utf-8", "200"), ("X-Other", "1", "200"),
  ])
  func commandsOfAnOperatorComeFromNoPage(field: String, value: String, status: String) async throws {
    let folder = try Self.scratch()
    let conform = Command(in: folder)
    try folder.write(
      "ask.py",
      """
      import http.client, sys
      host, field, value = sys.argv[1:]
      line = http.client.HTTPConnection(host)
      fields = {"Host": host, "Content-Type": "application/json", field: value}
      line.request("POST", "/_conform/createTemplate", '{"slug": "promo"}', fields)
      print(line.getresponse().status)
      """)
    try await Self.serving(conform) { url in
      let host = url.replacing("http://", with: "")
      let result = try await conform.shell("python3 ask.py '\(host)' '\(field)' '\(value)'")
      #expect(result.output == status + "\n", "\(result.errors)")
    }
  }

  /// A hook that fails, hangs or gives a wrong result is not under test, so its case is neither passed nor failed.
  @Test(arguments: [
    ("{ program: [sh, -c, 'echo no database >&2; exit 4'] }", "exited with code 4; stderr: no database"),
    ("{ program: [sh, -c, 'sleep 1000'], timeLimit: 1s }", "did not end within 1.0 seconds and was killed"),
    ("{ program: [sh, -c, 'echo {}'] }", "its result does not fit the schema of the protocol: $.linkId: expected"),
    ("{ http: { path: /nowhere } }", "POST /nowhere answered 404"),
    ("{ http: { url: 'http://127.0.0.1:1/' } }", "nothing listens on 127.0.0.1:1"),
  ])
  func aHookThatFailsLeavesItsCaseUnjudged(hook: String, says: String) async throws {
    let folder = try Self.scratch()
    let conform = Command(in: folder)
    try await Self.serving(conform) { url in
      try folder.write(
        "bad.yaml",
        """
        url: \(url)
        hooks:
          createTemplate: { http: { path: /_conform/createTemplate, body: { slug: "${slug}" } } }
          createLink: \(hook)

        """)
      let result = try await conform(
        "run", "--root", ".", "--server-file", "bad.yaml", "--case", "provisioned.link", "--case",
        "server.health.status")
      #expect(result.code == 3, "\(result.output)\(result.errors)")
      #expect(result.output.contains("2 passed"))
      #expect(result.output.contains("1 unjudged"))
    }
    let evidence = try folder.text("conform-report/evidence/provisioned.link@spec.jsonl")
    #expect(evidence.contains(says), "\(evidence)")
    #expect(evidence.contains(#""kind":"precondition-failed","text":"createLink failed: "#))
  }

  @Test func theFileNamesTheDialectUnlessTheCommandDoes() async throws {
    let folder = try Self.scratch()
    let conform = Command(in: folder)
    try await Self.serving(conform) { url in
      try folder.write("p.yaml", "url: \(url)\ndialect: core-1.21\n")
      let named = try await conform("run", "--root", ".", "--server-file", "p.yaml", "--case", "server.health.status")
      #expect(named.code == 0)
      #expect(try folder.names(in: "conform-report/evidence") == ["server.health.status@core-1.21.jsonl"])
      let other = try await conform(
        "run", "--root", ".", "--server-file", "p.yaml", "--dialect", "spec", "--case", "server.health.status")
      #expect(other.code == 0)
      #expect(
        try folder.names(in: "conform-report/evidence") == [
          "server.health.status@core-1.21.jsonl", "server.health.status@spec.jsonl",
        ])
    }
  }

  @Test func certificatesThatCannotBeReadEndTheRunBeforeItBegins() async throws {
    let folder = try Scratch()
    try folder.write("p.yaml", "url: https://127.0.0.1:1\ntrust: missing.pem\n")
    let result = try await Command(in: folder)("run", "--server-file", "p.yaml")
    #expect(result.code == 2)
    #expect(result.errors.contains("'./missing.pem' contains no readable certificate in PEM"))
    #expect(try folder.names() == ["p.yaml"])
  }
}
