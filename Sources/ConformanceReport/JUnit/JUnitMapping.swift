import ConformanceModel
import ConformanceVerdict
import Templates
import TextKit

/// Turns a run record into JUnit test suites, one for each role and area. A suite contains one test case for each
/// verdict or for each requirement (see ``JUnitReport/Rows``).
struct JUnitMapping: Sendable {
  private let record: RunRecord
  private let options: JUnitReport.Options
  private let runs: [CaseInstance: RunRecord.CaseRun]
  private let timestamp: String

  /// The largest size of a text, in bytes. Programs that read JUnit files cut longer texts, and libxml2 refuses texts
  /// of 10 MB or more.
  static let textLimit = 32 * 1024
  private static let messageLimit = 1000

  init(record: RunRecord, options: JUnitReport.Options) {
    self.record = record
    self.options = options
    runs = record.runs
    let start = Timestamp(record.header.startedAt) ?? Timestamp(milliseconds: 0)
    timestamp = String(start.text.prefix(19))
  }

  /// A future test case. It reports one verdict; if ``JUnitReport/Rows`` is `requirement`, this is the worst of several
  /// verdicts.
  private struct Entry {
    var name: String
    var ruling: RunRecord.Ruling
    /// The runs of cases whose verdicts the test case summarizes.
    var instances: [CaseInstance]
    /// The number of these runs whose verdict has the same disposition as the reported verdict.
    var alike = 1
    var milliseconds = 0
  }

  /// The verdicts as future test cases, sorted by name.
  private func entries(_ rulings: [RunRecord.Ruling]) -> [Entry] {
    // Each name is made once, not at every comparison.
    let entries =
      switch options.rows {
      case .verdict: rulings.map { Entry(name: $0.testName, ruling: $0, instances: [$0.instance]) }
      case .requirement:
        Dictionary(grouping: rulings) { "\($0.requirement) @\($0.instance.dialect)".visibleOnOneLine }.compactMap(row)
      }
    return entries.sorted { $0.name < $1.name }
  }

  private func row(_ name: String, _ rulings: [RunRecord.Ruling]) -> Entry? {
    rulings.worst.map { worst in
      Entry(
        name: name, ruling: worst, instances: rulings.map(\.instance),
        alike: rulings.count { $0.disposition == worst.disposition })
    }
  }

  /// The suites, sorted by name. The test cases in a suite are also sorted by name.
  var suites: [JUnitSuite] {
    // There are a few areas with many verdicts each.
    var names: [String: String] = [:]
    let areas = Dictionary(grouping: record.distinctRulings) { ruling in
      let area = "\(ruling.rule.role).\(ruling.rule.area)"
      let name = names[area] ?? suiteName(area)
      names[area] = name
      return name
    }
    var timed: Set<CaseInstance> = []
    var suites = areas.sorted { $0.key < $1.key }.map { name, rulings in
      var entries = entries(rulings)
      var counts = JUnitSuite.Counts()
      for index in entries.indices {
        for instance in entries[index].instances where timed.insert(instance).inserted {
          entries[index].milliseconds += runs[instance]?.duration.wholeMilliseconds ?? 0
        }
        counts.add(entries[index].ruling.disposition, milliseconds: entries[index].milliseconds)
      }
      return suite(name, requirements(rulings), counts) { [entries] in testCase(entries[$0]) }
    }
    if let incomplete { suites.append(incomplete) }
    return suites.sorted { $0.name < $1.name }
  }

  /// The name of a suite. The name is also part of a file name, and some CI systems use it as a class name. So it
  /// contains only characters that are allowed in both.
  private func suiteName(_ part: String) -> String {
    String(
      "\(record.header.protocolName).\(part)".map { character in
        character.isASCII && (character.isLetter || character.isNumber || ".-_".contains(character)) ? character : "_"
      })
  }

  private func suite(
    _ name: String, _ properties: [JUnitSuite.Property], _ counts: JUnitSuite.Counts,
    _ makeCase: @escaping @Sendable (Int) -> JUnitSuite.Case
  ) -> JUnitSuite {
    JUnitSuite(
      name: name, timestamp: timestamp, properties: common + properties, counts: counts, makeCase: makeCase)
  }

  /// A suite that contains only one error, which reports that the run is incomplete; nil for a complete run. Without
  /// this suite, the report of an incomplete run could look green.
  private var incomplete: JUnitSuite? {
    let reasons = record.conclusion.reasons.map(\.withoutMarks)
    guard let first = reasons.first else { return nil }
    var body = reasons.joined(separator: "\n")
    body.addLine("The reported verdicts are true. The missing ones were not judged.")
    body.addLine("rerun: ", record.header.wholeRerun)
    let one = JUnitSuite.Case(
      name: "the run is complete", milliseconds: 0,
      result: .error(
        type: "conformance.incomplete", message: XMLText(first.cut(at: Self.messageLimit)),
        body: XMLText(body.cut(atBytes: Self.textLimit))), output: "")
    return suite(suiteName("run"), [], .init(tests: 1, errors: 1)) { _ in one }
  }

  private var common: [JUnitSuite.Property] {
    let header = record.header
    let subjects = Set(record.subjects.map(\.subject.name)).sorted().joined(separator: ", ")
    let versions = Set(record.subjects.map(\.subject.version)).sorted().joined(separator: ", ")
    let driving = Set(record.subjects.compactMap(\.driving?.text)).sorted().joined(separator: ", ")
    let all: [(String, String)] = [
      ("kit.version", String(header.kit.split(separator: " ").last ?? "")), ("spec.revision", header.specRevision),
      ("subject.name", subjects), ("subject.version", versions), ("adapter", driving), ("gate", header.gate.rawValue),
    ]
    return all.filter { !$0.1.isEmpty }.map { .init(name: $0.0, value: $0.1.visibleOnOneLine) }
  }

  private func requirements(_ rulings: [RunRecord.Ruling]) -> [JUnitSuite.Property] {
    let rules = Dictionary(rulings.map { ($0.requirement, $0.rule) }) { first, _ in first }
    let features = Dictionary(rules.values.compactMap(\.feature).map { ($0.number, $0.name) }) { first, _ in first }
    let named = features.sorted { $0.key < $1.key }.map {
      JUnitSuite.Property(name: "feature.\($0)", value: $1.visibleOnOneLine)
    }
    return named
      + rules.sorted { $0.key < $1.key }.map { id, rule in
        let section = rule.source.section.first?.isNumber == true ? "§" + rule.source.section : rule.source.section
        let value = "\(rule.level.rawValue) · \(section) · \(rule.basis.rawValue)"
        return .init(name: "requirement.\(id)", value: value.visibleOnOneLine)
      }
  }

  private func testCase(_ entry: Entry) -> JUnitSuite.Case {
    JUnitSuite.Case(
      name: XMLText(entry.name), milliseconds: entry.milliseconds, result: result(entry),
      output: output(entry.ruling).map { XMLText($0.cut(atBytes: Self.textLimit)) })
  }

  private func result(_ entry: Entry) -> JUnitSuite.Case.Result? {
    let ruling = entry.ruling
    guard let headline = ruling.normalHeadline?.withoutMarks.cut(at: Self.messageLimit) else { return nil }
    let body = body(entry, headline: headline).cut(atBytes: Self.textLimit)
    switch ruling.disposition {
    case .pass: return nil
    case .fail: return .failure(type: "conformance.violation", message: XMLText(headline), body: XMLText(body))
    case .stale: return .failure(type: "conformance.stale-baseline", message: XMLText(headline), body: XMLText(body))
    case .error: return .error(type: "conformance.unjudged", message: XMLText(headline), body: XMLText(body))
    case .advisory: return skipped("advisory: ", headline, body)
    case .known where ruling.findings.isEmpty: return skipped("known, not judged: ", headline, body)
    case .known: return skipped("known violation: ", headline, body)
    case .skipped: return skipped("not applicable: ", headline, headline)
    }
  }

  private func skipped(_ word: String, _ headline: String, _ body: String) -> JUnitSuite.Case.Result {
    .skipped(message: options.dialect == .rich ? XMLText(word + headline) : nil, XMLText(word + body))
  }

  /// The body of a test case. Its first line is the same as the message, because some CI systems show only the message,
  /// and others only the first line of the body.
  private func body(_ entry: Entry, headline: String) -> String {
    let ruling = entry.ruling
    var text = headline
    if options.rows == .requirement {
      text.addLine(
        "",
        "so it is in \(entry.alike) of \("case".counted(entry.instances.count)), such as \(ruling.instance.title)")
    }
    for finding in ruling.findings where finding.description.visibleOnOneLine != headline {
      text.addLine("found: ", finding.description)
    }
    if let reason = ruling.baseline { text.addLine("baseline: ", reason) }
    text.addLine("requirement: ", ruling.rule.text)
    text.addLine("source: ", ruling.rule.citation)
    if !ruling.story.isEmpty { text.addLine("what happened:") }
    for line in ruling.story { text.addLine("  ", line) }
    text.addLine("rerun: ", ruling.rerun)
    return text
  }

  private func output(_ ruling: RunRecord.Ruling) -> String? {
    // Most rows of a report are passed or skipped. For these rows, the names are sufficient.
    if ruling.disposition == .pass || ruling.disposition == .skipped { return nil }
    let facts = [
      ("requirement", ruling.requirement.rawValue), ("level", ruling.rule.level.rawValue),
      ("basis", ruling.rule.basis.rawValue), ("disposition", ruling.disposition.rawValue),
      ("clock", ruling.verdict.clock.rawValue),
    ]
    var text = facts.map { "[[PROPERTY|\($0.0)=\($0.1.withoutMarks)]]" }.joined(separator: "\n")
    if let file = runs[ruling.instance]?.evidence.flatMap(attachment) { text += "\n[[ATTACHMENT|\(file)]]" }
    return text
  }

  /// The path of an evidence file as the report names it. A relative path gets ``JUnitReport/Options/attachmentBase``
  /// as its beginning. Nil unless the path names a `.jsonl` file directly in a folder `evidence`: CI systems publish
  /// the named file, and an untrusted record could name any file.
  private func attachment(_ path: String) -> String? {
    let parts = path.split(separator: "/")
    guard parts.suffix(2).first == "evidence", parts.count > 1, path.hasSuffix(".jsonl"), !path.contains("]]"),
      path == path.visibleOnOneLine
    else { return nil }
    let isAbsolute = path.hasPrefix("/") || options.attachmentBase.isEmpty
    return isAbsolute ? path : "\(options.attachmentBase)/\(path)"
  }
}

extension String {
  /// The text on one line, in which marks such as `[[ATTACHMENT|/etc/passwd]]` have no effect. A CI system that reads
  /// the report obeys such marks, and the text may come from a subject.
  fileprivate var withoutMarks: String {
    let line = visibleOnOneLine
    guard line.hasDoubleBracket else { return line }
    return ["ATTACHMENT", "PROPERTY"].reduce(line) { $0.replacing("[[\($1)", with: "[ [\($1)") }
  }

  /// Whether the text contains two opening brackets in a row. Such texts are rare, and only they are searched for
  /// marks.
  private var hasDoubleBracket: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      // Every byte is checked, so that the compiler can check several bytes at a time. A loop that may end early cannot
      // be vectorized.
      var found: UInt8 = 0
      for (left, right) in zip(bytes, bytes.dropFirst()) {
        found |= (left ^ UInt8(ascii: "[")) | (right ^ UInt8(ascii: "[")) == 0 ? 1 : 0
      }
      return found != 0
    } ?? true
  }

  /// Adds a line end, and then a line that consists of these two parts. Marks in the second part get a form that CI
  /// systems ignore.
  fileprivate mutating func addLine(_ start: String, _ rest: String = "") {
    self += "\n"
    self += start
    self += rest.withoutMarks
  }

  /// The text, cut at the end of a scalar, so that it has at most this number of bytes of UTF-8. The last line reports
  /// how much is missing.
  fileprivate func cut(atBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    // Slicing a string rounds the index down to the beginning of a scalar.
    let kept = self[..<utf8.index(startIndex, offsetBy: limit - 64)]
    return kept + "\n[cut here: \(utf8.count - kept.utf8.count) more bytes, see the evidence]"
  }
}
