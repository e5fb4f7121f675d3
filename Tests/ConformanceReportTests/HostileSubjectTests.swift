import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Records
import Testing

@testable import ConformanceReport
@testable import ReportPages

/// Every text that a subject decides is hostile at once: each report shows it as text.
@Suite struct HostileSubjectTests {
  private static let texts = [
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "\"><svg onload=alert(1)>",
    "![image](http://evil.example/x.png)", "[link](javascript:alert(1))", "](http://evil.example) | cell |",
    "https://evil.example", "@everyone #1 GH-1", "`code` **bold** ~~gone~~", "</details><h1>x</h1>",
    "=HYPERLINK(\"http://evil.example\")", "+1-1", "-2;=3", "@SUM(A1)", "a--b__c%20/d?color=red&style=flat",
    "::error title=forged::text", "##vso[task.complete result=Succeeded;]", "\r\n::error::forged",
    "\r\n##vso[task.complete]", "\u{202E}txt.exe", "\u{1B}[2J\u{7}\u{0}\u{FFFE}", "{{{style}}}{{> head}}",
  ]

  /// A run of a subject that says a text wherever it can.
  private static func record(saying text: String) -> RunRecord {
    let finding = Finding(subject: text, path: JSONPath([.key(text)]), expected: "1", observed: text, entries: [2])
    let story = ["> 1  \(text)", "     #2 → \(text)"]
    var record = Sample.record([
      Sample.ruling("PA-A-001", Sample.first, .violates([finding]), .fail, feature: 1, story: story),
      Sample.ruling("PA-A-002", Sample.first, .unjudged(reason: text), .error, feature: 1, story: story),
      Sample.ruling("PA-A-003", Sample.first, .notApplicable(reason: text), .skipped, feature: 1),
    ])
    record.cases = [Sample.run(Sample.first, 1, .init(.adapterDied, text))]
    let subject = Subject(name: text, version: text, language: text, platform: text, capabilities: [text])
    record.subjects = [.init(role: "sdk", subject: subject)]
    record.end?.notes = [text]
    record.end?.incidents = [text]
    return record
  }

  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "Parcel", document: "D", revision: "1", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec"],
      features: [.init(number: 1, name: "Posting")]),
    requirements: (1...3).map {
      Requirement(
        id: RequirementID("PA-A-00\($0)"), role: "sdk", feature: 1, level: .must, basis: .stated,
        source: .init(document: "D", section: "1", revision: "1"), text: "It holds.")
    }, positions: [],
    cases: [
      Case(
        id: Sample.first.id, title: "One", role: "sdk", dialects: ["spec"],
        scenarios: [
          .init(
            steps: [], claims: (1...3).map { .init(requirement: RequirementID("PA-A-00\($0)"), assertion: .survives) })
        ])
    ],
    exchanges: [], models: [:], defects: [])

  /// The outputs in markup: pages and pictures.
  private static func markup(_ text: String) throws -> [String: String] {
    let record = record(saying: text)
    var all = ["report": try HTMLReport(record, evidence: { _ in HTMLReportTests.transcript(saying: text) }).text()]
    let files = try Site(of: [.init(record)], earlier: [.init(record)], catalogue: catalogue).files()
    for file in files where !file.path.hasSuffix(".json") {
      all[file.path.split(separator: "/")[0] + (file.path.hasSuffix(".svg") ? " picture" : "")] = file.text
    }
    return all
  }

  private static func markdown(_ text: String) throws -> [String] {
    let (record, plain) = (record(saying: text), record(saying: "plain"))
    return [
      MarkdownSummary(record).text, RecordDiff(from: plain, to: record).text(.markdown),
      try ParityMatrix(of: [.init(record)], catalogue: catalogue, role: "sdk").markdown,
    ]
  }

  private static func lines(_ text: String) -> [String] {
    let (record, plain) = (record(saying: text), record(saying: "plain"))
    return Annotations(record).lines(for: .github) + Annotations(record).lines(for: .azure)
      + RecordDiff(from: plain, to: record).text(.text).split(separator: "\n").map(String.init)
  }

  @Test(arguments: texts)
  func noTextIsMarkup(text: String) throws {
    let plain = try Self.markup("plain").mapValues(Self.marks)
    for (name, page) in try Self.markup(text) {
      #expect(Self.marks(page) == plain[name], "\(name)")
      #expect(page.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" }, "\(name)")
    }
  }

  /// Outside of code nothing begins an image, a link, an element or a mention. Code is fenced by more ticks than a text has.
  @Test(arguments: texts)
  func noTextIsMarkdown(text: String) throws {
    for page in try Self.markdown(text) {
      let prose = page.replacing(#/(?s)(`{3,})[a-z]*\n.*?\n\1/#, with: "").replacing(#/\\./#, with: "")
      for mark in [
        "![", "](", "<img", "<script", "<svg", "<h1", "https://", "http://", "@everyone", "#1", "**bold", "`code",
      ] {
        #expect(!prose.contains(mark), "\(mark) in \(prose)")
      }
      #expect(page.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" })
    }
  }

  @Test(arguments: texts)
  func noTextIsAFormula(text: String) throws {
    let matrix = try ParityMatrix(of: [.init(Self.record(saying: text))], catalogue: Self.catalogue, role: "sdk")
    for line in matrix.csv.split(separator: "\r\n") {
      for cell in line.split(separator: ",") {
        #expect(!"=+-@".contains(cell.drop { $0 == "\"" }.first ?? "x"), "\(line)")
      }
    }
  }

  /// A line of a log begins a command only if the kit wrote the command.
  @Test(arguments: texts)
  func noTextIsACommandOfAnEngine(text: String) {
    for line in Self.lines(text) {
      #expect(line.unicodeScalars.allSatisfy { !$0.isObeyed }, "\(line.debugDescription)")
      if line.hasPrefix("::") || line.hasPrefix("##") {
        #expect(
          line.hasPrefix("::error title=PA") || line.hasPrefix("::warning title=PA")
            || line.hasPrefix("##vso[task.logissue type="))
      }
    }
  }

  @Test(arguments: texts)
  func theDataKeepTheText(text: String) throws {
    let record = Self.record(saying: text)
    let project = ProjectFolder(root: nil, current: "/project")
    let quality = try JSON(parsing: CodeQuality(record, file: "run.jsonl", project: project).issues.prettyText)
    #expect(quality.array?.isEmpty == false)
    let files = try Site(of: [.init(record)], catalogue: Self.catalogue).files().filter { $0.path.hasSuffix(".json") }
    for file in files { #expect(throws: Never.self, "\(file.path)") { try JSON(parsing: file.text) } }
    let shields = try JSON(parsing: try #require(files.first { $0.path.hasPrefix("badges/") }).text)
    #expect(shields["label"]?.string?.hasPrefix(String(text.visibleOnOneLine.prefix(20))) == true)
    let diff = RecordDiff(from: Self.record(saying: "plain"), to: record).text(.json)
    #expect(try JSON(parsing: diff)["facts"]?.array?.isEmpty == false)
  }

  /// How many tags and attributes a page has.
  private static func marks(_ page: String) -> Int { page.utf8.count { "<>\"".utf8.contains($0) } }
}
