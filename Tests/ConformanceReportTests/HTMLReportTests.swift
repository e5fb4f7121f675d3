import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Files
import HTTPValues
import JSONKit
import Templates
import Testing

@testable import ConformanceReport
@testable import Records
@testable import ReportPages

@Suite struct HTMLReportTests {
  private static let page = Result { try HTMLReport(Sample.record).text() }

  @Test func theVerdictIsOneSentence() throws {
    let page = try Self.page.get()
    #expect(page.contains(#"<strong>not conformant</strong> <span>3 failed, 1 stale, 2 unjudged, 1 passed"#))
    #expect(page.contains(#"<p class="verdict not-conformant" id="verdict">"#))
  }

  /// The cards are those of the console, in its order.
  @Test func theCardsAreInTheOrderOfTheConsole() throws {
    let console = ConsoleReport.text(of: Sample.record).split(separator: "\n")
      .compactMap { $0.prefixMatch(of: /(FAIL|STALE) +([^ ]+)/).map { "\($0.output.1) \($0.output.2)" } }
    let page = try Self.page.get().matches(
      of: /<span class="word">(FAIL|STALE)<\/span> <a href="#[^"]*">([^<]+)<\/a>/
    ).map { "\($0.output.1) \($0.output.2)" }
    #expect(!console.isEmpty)
    #expect(page == console)
  }

  /// Each requirement has a place of its own, each case one at its first verdict, and each link leads to one of them.
  @Test func everyRequirementAndCaseHasAnAnchor() throws {
    let page = try Self.page.get()
    let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
    #expect(Set(ids).count == ids.count)
    #expect(ids.contains("PA-QUEUE-001"))
    #expect(ids.contains("case-queue.full[101]@next"))
    let links = Set(page.matches(of: /href="#([^"]*)"/).map { String($0.output.1) })
    #expect(links.subtracting(ids) == [])
  }

  /// A browser takes no other style or script than those of the page, and asks no host for anything.
  @Test func thePageAsksForNothing() throws {
    let page = try Self.page.get()
    #expect(page.contains(#"content="default-src 'none'; style-src 'sha256-"#))
    #expect(page.firstMatch(of: /(src|href|action)="(?!#)|url\(|@import|<link|<img|<iframe/) == nil)
    #expect(page.firstMatch(of: #/ (style|on[a-z]+)=/#) == nil)
  }

  @Test(
    arguments: [
      "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "</style><b>", "\"\u{301} onclick=x y=\"",
      "' autofocus '", "{{secret}} {{{style}}}", "\u{202E}tide", "a\u{0}b", "![a](http://b)", "=1+1",
    ])
  func whatASubjectSaysIsShownAsText(_ text: String) throws {
    let page = try HTMLReport(Self.hostile(text), evidence: { _ in Self.transcript(saying: text) }).text()
    let plain = try HTMLReport(Self.hostile("plain"), evidence: { _ in Self.transcript(saying: "plain") }).text()
    // As many marks as in a page about a text that is none.
    #expect(Self.marks(page) == Self.marks(plain))
    #expect(page.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" })
    let shown = MarkupText().escapeText(text.visibleOnOneLine)
    #expect(page.components(containing: shown) > 8)
  }

  /// Ten million letters of a subject do not make a page that browsers cannot open.
  @Test func aLongTextIsCut() throws {
    let text = String(repeating: "x", count: 10_000_000)
    let page = try HTMLReport(Self.hostile(text), evidence: { _ in Self.transcript(saying: text) }).text()
    #expect(page.utf8.count < 1_000_000)
  }

  @Test func nothingIsWrittenWhereThePageHasNoRoom() throws {
    #expect(throws: FileProblem.self) { try HTMLReport(Sample.record).write(to: "/dev/full") }
    #expect(throws: FileProblem.self) { try HTMLReport(Sample.record).write(to: "/nowhere/report.html") }
  }

  @Test func aPageOfTenThousandVerdictsIsUnderTwelveMegabytes() throws {
    let many = (0..<10_000).map { number in
      Sample.ruling(
        RequirementID("PA-MANY-\(100 + number % 300)"),
        CaseInstance(id: CaseID("many.\(number)"), row: nil, dialect: "spec"), .violates([Sample.second]), .advisory)
    }
    let page = try HTMLReport(Sample.record(many)).text()
    #expect(page.utf8.count < 12_000_000)
    #expect(page.matches(of: /<td class="advisory">advisory<\/td>/).count == 10_000)
  }

  /// Text in every place that a subject or a foreign pack decides.
  private static func hostile(_ text: String) -> RunRecord {
    let finding = Finding(subject: text, path: JSONPath([.key(text)]), expected: text, observed: text, entries: [2])
    let instance = CaseInstance(id: CaseID(text), row: nil, dialect: Dialect(text))
    var ruling = Sample.ruling(RequirementID(text), instance, .violates([finding]), .fail, story: ["> \(text)", text])
    ruling.rule.text = text
    ruling.rule.feature = .init(number: 1, name: text)
    ruling.rule.source = .init(document: text, section: text, revision: text)
    ruling.looksLike = [text]
    var skipped = Sample.ruling("PA-POST-009", instance, .notApplicable(reason: text), .skipped)
    skipped.rule.feature = nil
    var record = Sample.record([ruling, skipped])
    record.cases = [Sample.run(instance, 1, .init(.completed))]
    record.cases[0].title = text
    record.header.protocolName = text
    record.header.rerun = text
    record.subjects = [.init(role: "sdk", subject: Subject(name: text, version: text, language: text, platform: text))]
    record.end?.notes = [text]
    return record
  }

  static func transcript(saying text: String) -> Transcript {
    let request = RequestRecord(
      connection: 1, line: "POST /\(text) HTTP/1.1", headers: HTTPHeaders([.init(name: "x", value: text)]),
      body: Octets(JSON.object(JSON.Object([.init(key: text, value: .string(text))])).compactBytes))
    let events: [TranscriptEntry.Event] = [
      .command(.init(id: 1, name: "post", params: .string(text), label: nil)), .request(upstream: text, request),
      .callback(handle: text, value: .string(text)), .output(Octets(text.utf8)), .end(.init(.completed)),
    ]
    return Transcript(
      header: TranscriptHeader(
        kit: "conform", protocolName: "parcel", specRevision: "1", role: "sdk", instance: Sample.first, clock: .virtual,
        epoch: 0, seed: 1, subjects: ["sdk": Sample.subject], bindings: Bindings()),
      entries: events.enumerated().map { TranscriptEntry(number: $0 + 1, at: .zero, event: $1) })
  }

  /// How many tags and attributes a page has.
  private static func marks(_ page: String) -> Int { page.utf8.count { "<>\"".utf8.contains($0) } }
}

extension String {
  /// How often the text contains another.
  fileprivate func components(containing other: String) -> Int { ranges(of: other).count }
}
