import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import FoundationEssentials
import JSONKit
import Testing

@testable import ReportPages

@Suite struct SiteTests {
  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "Parcel", document: "D", revision: "2026-03-12", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec", "next"],
      features: [.init(number: 1, name: "Posting"), .init(number: 2, name: "Queue")]),
    requirements: ["PA-A-001", "PA-A-002"].map {
      Requirement(
        id: RequirementID($0), role: "sdk", feature: 1, level: .must, basis: .stated,
        source: .init(document: "D", section: "1", revision: "1"), text: "It holds.")
    }, positions: [],
    cases: [
      Case(
        id: "one", title: "One", role: "sdk", dialects: ["spec", "next"],
        scenarios: [
          .init(steps: [], claims: ["PA-A-001", "PA-A-002"].map { Claim(requirement: $0, assertion: .survives) })
        ])
    ],
    exchanges: [], models: [:], defects: [])

  private static let bad = Verdict.Outcome.violates([Sample.second])

  /// A run on a day, with an outcome of the second requirement in each dialect.
  private static func record(
    _ name: String, version: String = "1.0", day: Int = 1, _ outcomes: [(Dialect, Verdict.Outcome)]
  ) -> RunRecord {
    var record = Sample.record([])
    record.header.startedAt = "2026-11-0\(day)T10:00:00.000Z"
    record.subjects = [.init(role: "sdk", subject: Subject(name: name, version: version))]
    record.cases = []
    for (dialect, outcome) in outcomes {
      let instance = CaseInstance(id: "one", row: nil, dialect: dialect)
      record.cases.append(Sample.run(instance, 1, .init(.completed)))
      record.rulings += [
        Sample.ruling("PA-A-001", instance, .conforms, .pass, feature: 1),
        Sample.ruling("PA-A-002", instance, outcome, outcome == .conforms ? .pass : .fail, feature: 1),
      ]
    }
    return record
  }

  private static func files(_ records: [RunRecord], labels: [String?] = []) throws -> [String: String] {
    let sources = records.enumerated().map { index, record in
      ParityMatrix.Source(record, label: labels.indices.contains(index) ? labels[index] : nil)
    }
    let files = try Site(of: sources, catalogue: catalogue).files()
    #expect(Set(files.map(\.path)).count == files.count)
    return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
  }

  private static let two = Result {
    try files([
      record("dart", [("spec", .conforms)]), record("kotlin", [("spec", .conforms), ("next", bad)]),
    ])
  }

  @Test func eachSubjectAndRequirementHasItsFiles() throws {
    let expected =
      ["dart", "kotlin"].flatMap { name in
        ["subjects/\(name).html", "subjects/\(name).json", "badges/\(name).svg", "badges/\(name).json"]
      } + ["PA-A-001", "PA-A-002"].flatMap { ["requirements/\($0).html", "requirements/\($0).json"] }
    #expect(Set(try Self.two.get().keys) == Set(expected + ["index.html", "index.json"]))
  }

  @Test func everyLinkLeadsToAPlaceOfTheSite() throws {
    let files = try Self.two.get()
    for (path, page) in files where path.hasSuffix(".html") {
      let folder = path.contains("/") ? path.split(separator: "/")[0] + "/" : ""
      for link in page.matches(of: /href="([^"#]*)(?:#([^"]*))?"/).map({ ($0.output.1, $0.output.2) }) {
        let target = link.0.isEmpty ? path : link.0.hasPrefix("../") ? String(link.0.dropFirst(3)) : folder + link.0
        let text = try #require(files[target], "\(path): \(link.0)")
        if let place = link.1 { #expect(text.contains("id=\"\(place)\""), "\(path): \(link.0)#\(place)") }
      }
    }
  }

  @Test func everyJSONFileFitsThePublishedSchema() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let bytes = try Data(contentsOf: root.appending(path: "spec/schema/site.schema.json"))
    let schema = try JSONSchema(JSON(parsing: Array(bytes)))
    let twice = try Self.files([
      Self.record("a", version: "1", [("spec", .conforms)]),
      Self.record("a", version: "2", day: 2, [("spec", Self.bad)]),
    ])
    for files in [try Self.two.get(), twice] {
      let data = files.filter { $0.key.hasSuffix(".json") && !$0.key.hasPrefix("badges/") }
      #expect(data.count > 3)
      for (path, text) in data {
        #expect(schema.validate(try JSON(parsing: text)).map(\.description) == [], "\(path)")
      }
    }
  }

  /// A cell of all dialects is the worst of them.
  @Test func theMatrixShowsTheWorstOfTheDialects() throws {
    let index = try JSON(parsing: try #require(try Self.two.get()["index.json"]))
    let matrix = try #require(index["matrices"]?.array?.first)
    let cells = try #require(matrix["overall"]?.array?.first?["cells"]?.array)
    #expect(cells.map { $0["subject"]?.string } == ["dart 1.0", "kotlin 1.0"])
    #expect(cells.last?["status"]?.string == "Partial")
    let page = try #require(try Self.two.get()["index.html"])
    #expect(page.contains(#"<a href="subjects/kotlin.html#feature-1">Partial 3/4</a>"#))
  }

  /// The newest version counts, the page shows what the last run changed, and order on the command line means nothing.
  @Test func runsOfOneSubjectAreItsHistory() throws {
    let old = Self.record("dart", version: "1.0", day: 1, [("spec", Self.bad)])
    let new = Self.record("dart", version: "1.1", day: 2, [("spec", .conforms)])
    let files = try Self.files([new, old])
    #expect(files == (try Self.files([old, new])))
    let subject = try JSON(parsing: try #require(files["subjects/dart.json"]))
    #expect(subject["subject"]?["held"]?.int == 2)
    #expect(subject["runs"]?.array?.map { $0["version"]?.string } == ["1.0", "1.1"])
    let changes = try #require(subject["changes"]?["changes"]?.array)
    #expect(changes.map { $0["kind"]?.string } == ["better"])
  }

  /// A run of an earlier pack is one of the runs, and no verdict of it counts. Its requirements may be gone.
  @Test func aRunOfAnEarlierPackIsListed() throws {
    var old = Self.record("dart", version: "0.9", day: 1, [("next", Self.bad)])
    old.header.packDigest = "77aa"
    for index in old.rulings.indices { old.rulings[index].verdict.requirement = "PA-GONE-001" }
    let new = Self.record("dart", version: "1.0", day: 2, [("spec", .conforms)])
    let site = try Site(of: [.init(new)], earlier: [.init(old)], catalogue: Self.catalogue)
    let files = Dictionary(uniqueKeysWithValues: try site.files().map { ($0.path, $0.text) })
    let subject = try JSON(parsing: try #require(files["subjects/dart.json"]))
    #expect(subject["runs"]?.array?.map { $0["version"]?.string } == ["0.9", "1.0"])
    #expect(subject["subject"]?["held"]?.int == 2 && subject["subject"]?["required"]?.int == 2)
    let page = try #require(files["subjects/dart.html"])
    #expect(page.contains("<td>PA-GONE-001</td>") && !page.contains("PA-GONE-001.html"))
  }

  /// Only runs that a site compares keep their verdicts, and the site is the same.
  @Test func aSiteOfManyRunsKeepsFewVerdicts() throws {
    let records = (1...9).map { day in
      Self.record("dart", version: "1.\(day / 2)", day: day, [("spec", day % 2 == 0 ? .conforms : Self.bad)])
    }
    var runs = SiteRuns()
    for record in records { runs.add(.init(record), isEarlier: false) }
    runs.add(.init(Self.record("kotlin", [("spec", .conforms)])), isEarlier: false)
    #expect(runs.current.count { !$0.record.rulings.isEmpty } == 3)
    let thin = try Site(of: runs.current, catalogue: Self.catalogue).files()
    let whole = try Site(
      of: records.map { .init($0) } + [.init(Self.record("kotlin", [("spec", .conforms)]))], catalogue: Self.catalogue
    ).files()
    #expect(thin == whole)
  }

  /// Two runs of one version may disagree.
  @Test func theNewestOfTwoRunsOfOneVersionCounts() throws {
    let files = try Self.files([
      Self.record("dart", day: 1, [("spec", Self.bad), ("next", .conforms)]),
      Self.record("dart", day: 2, [("spec", .conforms)]),
    ])
    let subject = try JSON(parsing: try #require(files["subjects/dart.json"]))
    #expect(subject["subject"]?["held"]?.int == 4)
    #expect(subject["subject"]?["required"]?.int == 4)
  }

  @Test func theRequirementNamesEverySubject() throws {
    let data = try JSON(parsing: try #require(try Self.two.get()["requirements/PA-A-002.json"]))
    #expect(data["subjects"]?.array?.map { $0["worst"]?.string } == ["pass", "fail"])
    let page = try #require(try Self.two.get()["requirements/PA-A-002.html"])
    #expect(page.contains(#"<a href="../subjects/kotlin.html">kotlin 1.0</a>"#))
  }

  @Test func theBadgeHasFiguresAndADenominator() throws {
    let shields = try JSON(parsing: try #require(try Self.two.get()["badges/kotlin.json"]))
    #expect(shields["schemaVersion"]?.int == 1)
    #expect(shields["message"]?.string == "not conformant 3/4")
    #expect(
      try #require(try Self.two.get()["badges/kotlin.svg"]).contains("<title>kotlin 1.0: not conformant 3/4</title>"))
  }

  @Test(
    arguments: [
      "../../etc/passwd", "/", "..", "", ".hidden", "a\u{0}b", "<script>alert(1)</script>", "\"\u{301} onclick=x",
      "\u{202E}x", String(repeating: "long", count: 10_000), "index.html", "CON", "{{secret}}",
    ])
  func aNameOfASubjectIsTextAndLeavesNoFolder(_ name: String) throws {
    let files = try Self.files([
      Self.record(name, [("spec", .conforms)]), Self.record("\(name)!", [("spec", .conforms)]),
    ])
    let plain = try Self.files([
      Self.record("plain", [("spec", .conforms)]), Self.record("other", [("spec", .conforms)]),
    ])
    #expect(files.count == plain.count)
    for (path, text) in files {
      #expect(
        path.wholeMatch(of: #/(index|(subjects|badges)/[a-z0-9-]+|requirements/PA-A-00[12])\.(html|json|svg)/#) != nil)
      #expect(text.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" })
      // In JSON it is a text like any other.
      #expect(path.hasSuffix(".json") || !text.contains("<script>alert"))
    }
    let marks = { (page: String?) in page?.utf8.count { "<>\"".utf8.contains($0) } }
    #expect(marks(files["index.html"]) == marks(plain["index.html"]))
  }

  @Test func thePagesAskForNothing() throws {
    for (path, page) in try Self.two.get() where path.hasSuffix(".html") {
      #expect(page.contains(#"content="default-src 'none'; style-src 'sha256-"#))
      #expect(page.firstMatch(of: #/(src|action)=|href="[a-z]+:|url\(|@import|<link|<img| on[a-z]+=| style=/#) == nil)
    }
  }
}
