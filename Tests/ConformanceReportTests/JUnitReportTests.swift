import ConformanceModel
import ConformanceVerdict
import Testing

@testable import ConformanceReport

@Suite struct JUnitReportTests {
  /// The records that the general tests check.
  enum Run: CaseIterable {
    case sample, large

    var record: RunRecord { self == .sample ? Sample.record : JUnitReportTests.large }
  }

  static func bytes(_ record: RunRecord, _ options: JUnitReport.Options = .init()) throws -> [UInt8] {
    let report = try JUnitReport(record, options: options)
    return try XMLWriterTests.bytes { writer in report.write(to: &writer) }
  }

  /// The testcases of a document by name.
  static func cases(_ document: [UInt8]) throws -> [String: ParsedXML] {
    let root = try #require(ParsedXML(document))
    let cases = root.all("testsuite").flatMap { $0.all("testcase") }
    return Dictionary(cases.map { ($0.attributes["name"] ?? "", $0) }) { first, _ in first }
  }

  /// A record with more cases than a person would write, some of them with text that attacks the report.
  static var large: RunRecord {
    let areas = ["POST", "QUEUE", "A-B"]
    let hostile = "\u{1B}[31m ]]> \u{0} <!-- & \" \u{FFFE} [[ATTACHMENT|/etc/passwd]]"
    var record = Sample.record([])
    record.cases = []
    for number in 0..<120 {
      let instance = CaseInstance(
        id: CaseID("c\(number % 40)"), row: number % 3 == 0 ? nil : hostile, dialect: Dialect("d\(number / 40)"))
      record.cases.append(Sample.run(instance, Double(number) * 1.3, .init(.completed)))
      for area in areas {
        let template = Sample.rulings[(number + area.count) % Sample.rulings.count]
        var ruling = template
        ruling.verdict.instance = instance
        ruling.verdict.requirement = RequirementID("PA-\(area)-00\(number % 4)")
        ruling.rule.area = ruling.requirement.area
        ruling.story = [hostile, hostile]
        if case .violates = ruling.verdict.outcome {
          ruling.verdict.outcome = .violates([.init(subject: hostile, expected: hostile, observed: hostile)])
        }
        record.rulings.append(ruling)
      }
    }
    return record
  }

  @Test(arguments: Run.allCases)
  func everyDocumentIsValid(run: Run) throws {
    let record = run.record
    let schema = try JUnitReport.schema()
    #expect(schema.problems(in: try Self.bytes(record)).isEmpty)
    let folder = try TemporaryFolder()
    let report = try JUnitReport(record)
    let path = folder.file("junit.xml")
    try report.write(to: path)
    #expect(try folder.bytes(path) == Self.bytes(record))
    #expect(try schema.problems(inFile: path).isEmpty)
    let split = try report.writeSplit(into: folder.path)
    #expect(split == report.suites.map { folder.file("TEST-\($0.name).xml") })
    for path in split { #expect(try schema.problems(inFile: path).isEmpty, "\(path)") }
    let root = try #require(ParsedXML(Self.bytes(record)))
    #expect(
      try split.map { try #require(ParsedXML(folder.bytes($0))).all("testcase") }
        == root.children.map { $0.all("testcase") })
  }

  @Test(arguments: Run.allCases)
  func theCountsAreThoseOfTheTree(run: Run) throws {
    let record = run.record
    let root = try #require(ParsedXML(Self.bytes(record)))
    func milliseconds(_ node: ParsedXML) -> Int? { Int((node.attributes["time"] ?? "").replacing(".", with: "")) }
    func check(_ node: ParsedXML, _ cases: [ParsedXML]) {
      #expect(node.attributes["tests"] == "\(cases.count)")
      #expect(node.attributes["failures"] == "\(cases.count { $0["failure"] != nil })")
      #expect(node.attributes["errors"] == "\(cases.count { $0["error"] != nil })")
      #expect(milliseconds(node) == cases.compactMap(milliseconds).reduce(0, +))
    }
    for suite in root.children {
      check(suite, suite.all("testcase"))
      #expect(suite.attributes["skipped"] == "\(suite.all("testcase").count { $0["skipped"] != nil })")
    }
    let cases = root.children.flatMap { $0.all("testcase") }
    check(root, cases)
    #expect(cases.count == record.rulings.count)
    #expect(milliseconds(root) == record.cases.map { Int($0.duration.rounded()) }.reduce(0, +))
  }

  @Test func namesAreSortedAndUnique() throws {
    let root = try #require(ParsedXML(Self.bytes(Self.large)))
    let suites = root.children.compactMap { $0.attributes["name"] }
    #expect(suites == ["parcel.sdk.a-b", "parcel.sdk.post", "parcel.sdk.queue"])
    for suite in root.children {
      let names = suite.all("testcase").compactMap { $0.attributes["name"] }
      #expect(names == Set(names).sorted())
      #expect(suite.all("testcase").allSatisfy { $0.attributes["classname"] == suite.attributes["name"] })
    }
  }

  @Test func eachDispositionHasItsElement() throws {
    let cases = try Self.cases(Self.bytes(Sample.record))
    func result(_ name: String) throws -> [String?] {
      let one = try #require(cases[name])
      let result = one.children.first
      let isGreen = result == nil || result?.text.hasPrefix("not applicable") == true
      #expect(one.children.dropFirst().map(\.name) == (isGreen ? [] : ["system-out"]))
      let first = result?.text.split(separator: "\n").first.map(String.init)
      #expect(result?.attributes["message"] == (result?.name == "skipped" ? nil : first))
      return [result?.name, result?.attributes["type"], first]
    }
    #expect(try result("PA-POST-001 post.first @spec") == [nil, nil, nil])
    let stale = "the baseline expects a violation that is no longer there: remove its entry"
    #expect(try result("PA-POST-002 post.first @spec") == ["failure", "conformance.stale-baseline", stale])
    let lacking = "not applicable: the capability 'ears' is not declared"
    #expect(try result("PA-POST-003 post.first @spec") == ["skipped", nil, lacking])
    let finding = "queueSize 'size' $.kept: expected 100, observed 101"
    #expect(try result("PA-QUEUE-001 queue.full[101] @spec") == ["failure", "conformance.violation", finding])
    let second = #"post requests: expected 1, observed 2 <with> "marks""#
    #expect(try result("PA-QUEUE-002 queue.full[101] @spec") == ["skipped", nil, "advisory: \(second)"])
    #expect(try result("PA-QUEUE-003 queue.full[101] @spec") == ["skipped", nil, "known violation: \(second)"])
    #expect(
      try result("PA-QUEUE-004 queue.crash @spec") == ["error", "conformance.unjudged", "the adapter died: exit 3"])
  }

  @Test func findingsOfOneRequirementAndCaseAreOneFailure() throws {
    let again = Sample.ruling("PA-QUEUE-001", Sample.full, .violates([Sample.second]), .fail)
    let green = Sample.ruling("PA-QUEUE-001", Sample.full, .conforms, .pass)
    let one = Sample.ruling("PA-QUEUE-001", Sample.full, .violates([Sample.finding("101")]), .fail)
    let cases = try Self.cases(Self.bytes(Sample.record([green, one, again])))
    #expect(cases.count == 1)
    let body = try #require(cases.values.first?["failure"]?.text)
    let message = "queueSize 'size' $.kept: expected 100, observed 101"
    #expect(
      body.hasPrefix("\(message)\nfound: \(Sample.finding("101"))\nfound: \(Sample.second)\nrequirement: "), "\(body)")
  }

  @Test func aRowOfARequirementIsTheWorstOfItsCases() throws {
    let document = try Self.bytes(Sample.record, .init(rows: .requirement))
    #expect(try JUnitReport.schema().problems(in: document).isEmpty)
    let cases = try Self.cases(document)
    #expect(cases.count == 8)
    let body = try #require(cases["PA-QUEUE-001 @spec"]?["failure"]?.text)
    #expect(body.split(separator: "\n")[1] == "so it is in 2 of 3 cases, such as queue.full[101] @spec")
    let whole = try #require(ParsedXML(Self.bytes(Sample.record))).attributes["time"]
    #expect(ParsedXML(document)?.attributes["time"] == whole)
  }

  @Test func theOutputIsCappedBetweenTwoScalars() throws {
    var ruling = Sample.rulings[3]
    ruling.story = Array(repeating: String(repeating: "🦊", count: 100), count: 500)
    let cases = try Self.cases(Self.bytes(Sample.record([ruling])))
    let one = try #require(cases.values.first)
    let text = try #require(one["failure"]?.text)
    #expect(text.utf8.count <= 32 * 1024 && text.utf8.count > 31 * 1024)
    let lines = text.split(separator: "\n")
    #expect(lines.last?.hasPrefix("[cut here: ") == true)
    #expect(lines.dropLast().last?.contains { $0 != "🦊" && $0 != " " } == false)
    #expect(one["system-out"]?.text.contains("[[ATTACHMENT|evidence/queue.full.jsonl]]") == true)
  }

  @Test(arguments: [
    ("", "evidence/a.jsonl", "evidence/a.jsonl"), ("out", "evidence/a.jsonl", "out/evidence/a.jsonl"),
    ("out", "/b/evidence/a[1]@spec.jsonl", "/b/evidence/a[1]@spec.jsonl"),
  ])
  func attachmentsAreRelativeToTheBase(base: String, path: String, shown: String) throws {
    var record = Sample.record([Sample.rulings[3]])
    record.cases[1].evidence = path
    record.rulings[0].story = ["#1  +0ms  stderr: [[ATTACHMENT|/etc/passwd]]", "a\n[[ATTACHMENT|/etc/passwd]]"]
    let cases = try Self.cases(Self.bytes(record, .init(attachmentBase: base)))
    let one = try #require(cases.values.first)
    #expect(one["failure"]?.text.contains("[[ATTACHMENT") == false)
    let lines = one["system-out"]?.text.split(separator: "\n") ?? []
    #expect(lines.filter { $0.contains("[[ATTACHMENT") } == ["[[ATTACHMENT|\(shown)]]"])
  }

  /// A CI server publishes the file that an attachment names, so only evidence of the run becomes an attachment.
  @Test(arguments: [
    "/etc/passwd", "../../secret.jsonl", "evidence/../../secret.jsonl", "evidence/a]]\n[[ATTACHMENT|b].jsonl",
    "a.jsonl",
    "evidence/a.jsonl/", "evidence/a\n.jsonl", "evidence/id_rsa",
  ])
  func noAttachmentIsAnythingButEvidence(path: String) throws {
    var record = Sample.record([Sample.rulings[3]])
    record.cases[1].evidence = path
    let one = try #require(Self.cases(Self.bytes(record)).values.first)
    #expect(one["system-out"]?.text.contains("[[PROPERTY|requirement=PA-QUEUE-001]]") == true)
    #expect(one["system-out"]?.text.contains("ATTACHMENT") == false)
  }

  /// The name of a suite is the name of a file and of a class too.
  @Test func anAreaIsNoPathAndHasNoSpace() throws {
    var record = Sample.record([Sample.rulings[3]])
    record.rulings[0].rule.area = "my area/../\u{FFFE}\u{1B}x"
    let report = try JUnitReport(record)
    #expect(report.suites.map(\.name) == ["parcel.sdk.my_area_..___x"])
    let folder = try TemporaryFolder()
    let paths = try report.writeSplit(into: folder.path)
    #expect(paths == ["\(folder.path)/TEST-parcel.sdk.my_area_..___x.xml"])
  }

  /// No text of a record can begin a line or produce an attachment mark.
  @Test func noTextOfARecordIsAMark() throws {
    let mark = "a\n[[ATTACHMENT|/etc/passwd]]"
    var record = Sample.record([Sample.rulings[7], Sample.rulings[3]])
    record.rulings[0].baseline = mark
    record.rulings[1].rule.text = mark
    record.rulings[1].rerun = mark
    record.rulings[1].verdict.outcome = .violates([.init(subject: mark, expected: mark, observed: mark)])
    record.end = nil
    record.header.rerun = mark
    let text = String(decoding: try Self.bytes(record), as: UTF8.self)
    #expect(!text.contains("[[ATTACHMENT|/etc"))
    #expect(text.contains("[ [ATTACHMENT|/etc"))
  }

  @Test func aRunThatWasKilledIsNotGreen() throws {
    var record = Sample.record([Sample.rulings[0]])
    record.end = nil
    let document = try Self.bytes(record)
    #expect(try JUnitReport.schema().problems(in: document).isEmpty)
    #expect(ParsedXML(document)?.attributes["errors"] == "1")
    let error = try #require(Self.cases(document)["the run is complete"]?["error"])
    #expect(error.attributes["type"] == "conformance.incomplete")
    #expect(error.attributes["message"] == "the run was killed after 5 of 5 cases")
  }

  @Test func whatIsMissingIsAnErrorBesideWhatWasFound() throws {
    var record = Sample.record
    record.end?.conclusion.reasons = [
      "3 Queue: all 2 mandatory requirements were skipped, because of this", "and that",
    ]
    let root = try #require(ParsedXML(Self.bytes(record)))
    #expect(root.attributes["errors"] == "3")
    let text = try #require(Self.cases(Self.bytes(record))["the run is complete"]?["error"]?.text)
    #expect(text.hasPrefix("3 Queue: all 2 mandatory requirements were skipped, because of this\nand that\n"))
  }

  @Test func whatIsKnownButNotJudgedIsNoViolation() throws {
    let ruling = Sample.ruling("PA-A-001", Sample.full, .unjudged(reason: "PA-B-001 is broken"), .known, baseline: "r")
    let text = try #require(Self.cases(Self.bytes(Sample.record([ruling]))).values.first?["skipped"]?.text)
    #expect(text.hasPrefix("known, not judged: PA-B-001 is broken\nbaseline: r\n"))
  }

  /// Readers group by the message: what a run drew anew is not in it.
  @Test func aMessageIsTheSameInEveryRun() throws {
    func message(_ port: Int) throws -> String? {
      var finding = Finding(subject: "install", expected: "a", observed: "http://127.0.0.1:\(port)", entries: [port])
      finding.normal = .init(subject: "install", expected: "a", observed: "${api.url}")
      let ruling = Sample.ruling("PA-A-001", Sample.full, .violates([finding]), .fail)
      return try Self.cases(Self.bytes(Sample.record([ruling]))).values.first?["failure"]?.attributes["message"]
    }
    #expect(try message(41) == "install: expected a, observed ${api.url}")
    #expect(try message(41) == message(732))
  }

  @Test func theRichDialectHasAMessageOnWhatIsSkipped() throws {
    let report = try JUnitReport(Sample.record, options: .init(dialect: .rich))
    let cases = try Self.cases(XMLWriterTests.bytes { writer in report.write(to: &writer) })
    let skipped = cases.values.compactMap { $0["skipped"] }
    #expect(!skipped.isEmpty)
    for one in skipped { #expect(one.attributes["message"] == one.text.split(separator: "\n").first.map(String.init)) }
  }

  @Test func theFolderOfASplitReportIsMade() throws {
    let folder = try TemporaryFolder()
    let paths = try JUnitReport(Sample.record).writeSplit(into: folder.file("a/b"))
    #expect(!paths.isEmpty)
    for path in paths { #expect(try !folder.bytes(path).isEmpty) }
  }

  @Test func anEmptyReportIsRefused() throws {
    #expect(throws: JUnitReport.Empty.self) { try JUnitReport(Sample.record([])) }
  }

  @Test func theBytesAreTheGoldenOnes() throws {
    let rulings = [Sample.rulings[0], Sample.rulings[2], Sample.rulings[3]]
    let document = String(decoding: try Self.bytes(Sample.record(rulings)), as: UTF8.self)
    #expect(document == Self.golden)
  }

  static let golden = """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="parcel.sdk" tests="3" failures="1" errors="0" time="0.253">
     <testsuite name="parcel.sdk.post" timestamp="2026-11-21T10:00:00" tests="2" failures="0" errors="0" time="0.241" skipped="1">
      <properties>
       <property name="kit.version" value="0.1.0"/>
       <property name="spec.revision" value="2026-03-12"/>
       <property name="subject.name" value="parcel-dart"/>
       <property name="subject.version" value="1.2.0"/>
       <property name="gate" value="stated"/>
       <property name="feature.1" value="Posting"/>
       <property name="requirement.PA-POST-001" value="MUST · §13 Queue · stated"/>
       <property name="requirement.PA-POST-003" value="MUST · §13 Queue · stated"/>
      </properties>
      <testcase name="PA-POST-001 post.first @spec" classname="parcel.sdk.post" time="0.241"/>
      <testcase name="PA-POST-003 post.first @spec" classname="parcel.sdk.post" time="0.000">
       <skipped>not applicable: the capability 'ears' is not declared</skipped>
      </testcase>
     </testsuite>
     <testsuite name="parcel.sdk.queue" timestamp="2026-11-21T10:00:00" tests="1" failures="1" errors="0" time="0.012" skipped="0">
      <properties>
       <property name="kit.version" value="0.1.0"/>
       <property name="spec.revision" value="2026-03-12"/>
       <property name="subject.name" value="parcel-dart"/>
       <property name="subject.version" value="1.2.0"/>
       <property name="gate" value="stated"/>
       <property name="feature.2" value="Queue"/>
       <property name="requirement.PA-QUEUE-001" value="MUST · §13 Queue · stated"/>
      </properties>
      <testcase name="PA-QUEUE-001 queue.full[101] @spec" classname="parcel.sdk.queue" time="0.012">
       <failure message="queueSize 'size' $.kept: expected 100, observed 101" type="conformance.violation">queueSize 'size' $.kept: expected 100, observed 101
    found: queueSize 'size' $.kept: expected 100, observed 101 (entries 4, 9)
    found: post requests: expected 1, observed 2 &lt;with&gt; &quot;marks&quot;
    requirement: The queue holds 100 parcels &amp; never more.
    source: Parcel specification, 13 Queue, revision 2026-03-12 (stated)
    what happened:
      &gt; 3  post {&quot;n&quot;:1}
           #4 → POST /parcels
        …
           #9 ← 200 OK
    rerun: conform run --sdk './my adapter' --case 'queue.full[101]' --dialect spec --requirement PA-QUEUE-001</failure>
       <system-out>[[PROPERTY|requirement=PA-QUEUE-001]]
    [[PROPERTY|level=MUST]]
    [[PROPERTY|basis=stated]]
    [[PROPERTY|disposition=fail]]
    [[PROPERTY|clock=virtual]]
    [[ATTACHMENT|evidence/queue.full.jsonl]]</system-out>
      </testcase>
     </testsuite>
    </testsuites>

    """
}
