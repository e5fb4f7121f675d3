import Foundation
import Testing

/// The files of `conform init` work without changes.
@Suite struct InitTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  @Test func aProtocolLintsAndHasItsOwnNames() async throws {
    let result = try await conform("init", "protocol", "ice-cream")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("next: conform lint --pack ice-cream"))
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.file("ice-cream")).filter {
      $0.contains(".")
    }
    #expect(
      files.sorted() == [
        "README.md", "cases/items.yaml", "exchanges/add-item.json", "protocol.yaml", "requirements/all.yaml",
        "server.yaml",
      ])
    let texts = try files.map { try folder.text("ice-cream/\($0)") }.joined()
    #expect(texts.contains("protocol: ice-cream") && texts.contains("# Ice Cream") && texts.contains("IC-SRV-001"))
    #expect(!texts.contains("my-protocol") && !texts.contains("My Protocol") && !texts.contains("MP-"))
    let lint = try await conform("lint", "--pack", "ice-cream")
    #expect(lint.code == 0)
    #expect(lint.output.isEmpty)
  }

  @Test(arguments: [
    ["protocol", "Notes"], ["protocol", "a_b"], ["protocol", "1a"], ["adapter", "--language", "perl"],
  ])
  func wordsThatCannotBeAreTold(words: [String]) async throws {
    let result = try await conform.run(["init"] + words)
    #expect(result.code == 2)
    #expect(try folder.names().isEmpty)
  }

  /// The shared module of a language performs the commands of every adapter, even if a protocol declares one of them.
  @Test(arguments: ["linkforty", "mobile-engage", "sentiance"])
  func aTemplateHasNoFunctionForACommandOfEveryAdapter(name: String) async throws {
    let files = [
      "python": "adapter.py", "javascript": "adapter.mjs", "typescript": "adapter.mts", "java": "Adapter.java",
      "kotlin": "Adapter.kt", "swift": "Sources/Adapter/main.swift", "dart": "adapter.dart",
    ]
    for (language, file) in files {
      let result = try await conform("init", "adapter", "--protocol", name, "--language", language, language)
      try #require(result.code == 0, "\(result.errors)")
      let text = try folder.text("\(language)/\(file)")
      #expect(text.contains("is not written yet"), "\(language)")
      for command in ["hello", "launch", "advance", "ping", "quit", "shutdown"] {
        #expect(!text.contains("the command '\(command)' is not written yet"), "\(language): \(command)")
      }
    }
    for (language, program) in ["python": "python3", "javascript": "node"] {
      let sdk = "\(program) \(language)/\(files[language] ?? "")"
      let doctor = try await conform("doctor", "--protocol", name, "--sdk", sdk)
      #expect(doctor.code == 0, "\(language): \(doctor.output)\(doctor.errors)")
    }
  }

  /// Nothing is written if one of the files exists.
  @Test(arguments: [
    (["protocol", "notes", "here"], "README.md", "protocol.yaml"),
    (["adapter", "--language", "python", "here"], "conform_adapter.py", "adapter.py"),
  ])
  func whatIsThereStays(words: [String], file: String, other: String) async throws {
    try FileManager.default.createDirectory(atPath: folder.file("here"), withIntermediateDirectories: false)
    try folder.write("here/\(file)", "mine")
    let result = try await conform.run(["init"] + words)
    #expect(result.code == 2)
    #expect(result.errors.contains("'here/\(file)' already exists"), "\(result.errors)")
    #expect(try folder.text("here/\(file)") == "mine")
    #expect(!folder.exists("here/\(other)"))
  }

  /// A language, its program, and a body for each of the two functions of the first protocol.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var program: String
    var file: String
    var imports: String
    var start: String
    var addItem: String
  }

  private static let rows = [
    Row(
      testDescription: "python", program: "python3", file: "adapter.py",
      imports: """
        import asyncio, json, urllib.request

        def post(url, body):
            request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
            return json.load(urllib.request.urlopen(request))

        from conform_adapter
        """,
      start: "self.url = params[\"url\"]",
      addItem: "return await asyncio.to_thread(post, self.url + \"/items\", params)"),
    Row(
      testDescription: "javascript", program: "node", file: "adapter.mjs", imports: "from './conformance",
      start: "sdk.url = params.url;",
      addItem: """
        return fetch(sdk.url + '/items', {
          method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(params),
        }).then((answer) => answer.json());
        """),
  ]

  /// Without changes each case names the missing function; with two lines the SDK conforms.
  @Test(arguments: rows)
  func anAdapterRunsAndSaysWhatIsNotWritten(row: Row) async throws {
    #expect(try await conform("init", "protocol", "notes").code == 0)
    let made = try await conform(
      "init", "adapter", "--language", row.testDescription, "--pack", "notes", "adapter")
    #expect(made.code == 0, "\(made.errors)")
    let line = try #require(made.output.split(separator: "\n").last).trimmingCharacters(in: .whitespaces)
    #expect(line.hasSuffix("run --pack notes --sdk '\(row.program) adapter/\(row.file)'"))

    let empty = try await conform.shell(line)
    #expect(empty.code == 3, "\(empty.output)\(empty.errors)")
    let said = empty.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains("the command 'start' is not written yet: see \(row.file)"), "\(said)")

    try write(row)
    let written = try await conform.shell(line)
    #expect(written.code == 0, "\(written.output)\(written.errors)")
    #expect(written.output.contains("conformant: 1 passed"))
  }

  /// Inserts the bodies of both functions.
  private func write(_ row: Row) throws {
    var text = try folder.text("adapter/\(row.file)")
    let anchor = row.imports.split(separator: "\n").last.map(String.init) ?? ""
    try #require(text.contains(anchor))
    text = text.replacing(anchor, with: row.imports, maxReplacements: 1)
    for (name, body) in [("start", row.start), ("addItem", row.addItem)] {
      let missing = try #require(
        text.split(separator: "\n").first { $0.contains("the command '\(name)' is not written yet") })
      let indent = String(missing.prefix { $0 == " " })
      let lines = body.split(separator: "\n").map { indent + $0 }
      text = text.replacing(missing, with: lines.joined(separator: "\n"))
    }
    try folder.write("adapter/\(row.file)", text)
  }
}
