import ConformanceModel
import ConformanceReport
import ConformanceTranscript
import ConformanceVerdict
import Digests
import Files
import Mustache
import Records
import TextKit

/// A run record as a single HTML page. The page needs no other file and no network. Only its filters need a script.
///
/// The template `report.mustache` contains the markup, and escapes every value. This type only provides the values.
package struct HTMLReport {
  /// The values of a template by name: texts, numbers, booleans, and lists of values.
  typealias Values = [String: Any]

  /// Returns the transcript of a run of a case; nil if its file is missing or does not match its digest in the record.
  package typealias Evidence = (RunRecord.CaseRun) -> Transcript?

  private let record: RunRecord
  private let definition: ProtocolDefinition?
  private let evidence: Evidence

  /// - Parameters:
  ///   - definition: the definition of the protocol. In a run with several subjects, it shows which of them calls which
  ///     service.
  ///   - evidence: called for each run of a case that a card is about.
  package init(_ record: RunRecord, definition: ProtocolDefinition? = nil, evidence: @escaping Evidence = { _ in nil })
  {
    self.record = record
    self.definition = definition
    self.evidence = evidence
  }

  /// Writes the page to the file at this path. If the page cannot be written completely, no file is left behind.
  ///
  /// - Throws: ``FileProblem``.
  package func write(to path: String) throws {
    let page = try text()
    let file = try OutputFile(path)
    do {
      try file.write(page)
      try file.finish()
    } catch {
      if file.written != nil { Disk.removeRegular(path) }
      throw error
    }
  }

  /// The text of the page.
  package func text() throws -> String {
    let files = [
      "report": PackageResources.report_mustache, "card": PackageResources.card_mustache,
      "diagram": PackageResources.diagram_mustache, "note": PackageResources.note_mustache,
    ]
    return try MarkupTemplates(files).render(values, with: "report")
  }

  private var values: Values {
    let rulings = record.distinctRulings
    let groups = FailureGroup.groups(of: rulings)
    let order = CardOrder(rulings: rulings, groups: groups, showsAllAdvisory: true)
    let table = ConsoleTable(
      record: record, rulings: rulings, groups: groups, paint: Paint(isOn: false), width: 1 << 20)
    let cards = HTMLCards(record: record, order: order, definition: definition, evidence: evidence)
    let verdicts = HTMLVerdicts(rulings: rulings)
    var values = head(table)
    values.merge(features(table)) { $1 }
    values.merge(sections(cards, order)) { $1 }
    values["rules"] = verdicts.rules(cards: order.anchors)
    values["verdicts"] = verdicts.rows
    values["total"] = rulings.count
    values["words"] = Self.choices(rulings.map(\.disposition.rawValue))
    values["levels"] = Self.choices(rulings.map(\.rule.level.rawValue))
    values["featureNames"] = Self.choices(rulings.compactMap { $0.rule.feature?.name })
    values["dialects"] = Self.choices(rulings.map(\.instance.dialect.rawValue))
    values["facts"] = facts
    return values
  }

  private func head(_ table: ConsoleTable) -> Values {
    let style = PackageResources.report_css
    let script = PackageResources.report_js
    let names = record.subjects.map { "\($0.subject.name) \($0.subject.version)" }.joined(separator: ", ")
    let subject = names.isEmpty ? "no subject" : names.visibleOnOneLine
    // The backticks are Markdown.
    let verdict = table.verdict.visibleOnOneLine.replacing("`", with: "").split(separator: ": ", maxSplits: 1)
    return [
      "style": String(decoding: style, as: UTF8.self), "styleDigest": MarkupTemplates.source(of: style),
      "script": String(decoding: script, as: UTF8.self), "scriptDigest": MarkupTemplates.source(of: script),
      "title": "\(record.header.protocolName) · \(subject)".visibleOnOneLine, "subject": subject,
      "protocol": record.header.protocolName.visibleOnOneLine, "revision": record.header.specRevision.visibleOnOneLine,
      "verdictWord": String(verdict[0]), "verdictRest": verdict.count > 1 ? String(verdict[1]) : "",
      "word": record.conclusion.word.rawValue, "missing": missing.map(\.visibleOnOneLine),
      "hasMissing": !missing.isEmpty, "gate": record.header.gate.rawValue,
    ]
  }

  private func features(_ table: ConsoleTable) -> Values {
    let tones = table.columns.map(\.title)
    let features = table.features.rows.map { feature -> Values in
      let total = max(1, feature.counts.reduce(0, +))
      var from = 0.0
      let bar = zip(tones, feature.counts).map { tone, count -> Values in
        let share = Double(count * 1000 / total) / 10
        defer { from += share }
        return ["tone": tone, "from": from, "share": share]
      }
      let counts = zip(tones, feature.counts).map { ["tone": $0, "count": $1, "isNone": $1 == 0] as Values }
      // Two blanks follow the number of a feature.
      let plain = feature.name.firstRange(of: "  ").map { String(feature.name[$0.upperBound...]) } ?? feature.name
      return ["feature": feature.name, "plainName": plain, "bar": bar, "counts": counts]
    }
    return ["columns": tones, "features": features]
  }

  private func sections(_ cards: HTMLCards, _ order: CardOrder) -> Values {
    let (failures, stale, unjudged) = (cards.failures, cards.stale, cards.unjudged)
    let (advisory, further, known) = (
      cards.advisory, cards.notes(on: order.furtherAdvisory), cards.notes(on: order.known)
    )
    let skips = order.skips.map { ["reason": $0.reason, "count": $0.rulings.count] as Values }
    let sizes: [(String, String, Int?)] = [
      ("features", "Features", nil), ("failures", "Failures", failures.count + stale.count),
      ("unjudged", "Unjudged", unjudged.count), ("advisory", "Advisory", advisory.count + further.count),
      ("skipped", "Skipped", order.skips.reduce(0) { $0 + $1.rulings.count }), ("baseline", "Baseline", known.count),
      ("requirements", "Requirements", nil), ("verdicts", "All verdicts", nil), ("facts", "Facts", nil),
    ]
    return [
      "failures": failures, "stale": stale, "hasFailures": !failures.isEmpty || !stale.isEmpty, "unjudged": unjudged,
      "advisory": advisory, "furtherAdvisory": further, "hasFurther": !further.isEmpty,
      "hasAdvisory": !advisory.isEmpty || !further.isEmpty, "skips": skips, "hasSkips": !skips.isEmpty, "known": known,
      "hasKnown": !known.isEmpty,
      "sections": sizes.map { anchor, name, size -> Values in
        var section: Values = ["anchor": anchor, "name": name]
        section["size"] = size
        return section
      },
    ]
  }

  /// The reasons why the run is incomplete, the requirements without a case, and the notes of the run, as on the
  /// console.
  private var missing: [String] {
    let rules = record.header.withoutCase
    let open =
      rules.isEmpty ? [] : ["not judged: \("requirement".counted(rules.count)) without a case here: \(rules.list)"]
    return record.conclusion.reasons.map { "incomplete: \($0)" } + open + (record.end?.notes ?? [])
  }

  private var facts: [Values] {
    let header = record.header
    let subjects = record.subjects.map { ($0.role.rawValue, $0.text) }
    let clocks = Set(record.cases.map(\.clock.rawValue)).sorted().joined(separator: ", ")
    let facts: [(String, String)] =
      [("kit", header.kit), ("protocol", "\(header.protocolName) \(header.specRevision)"), ("pack", header.packDigest)]
      + subjects
      + [
        ("started", header.startedAt), ("clock", clocks), ("seed", "\(header.seed)"),
        ("time zone", header.timeZone ?? "that of the machine"), ("language", header.language ?? "that of the machine"),
        ("gate", header.gate.rawValue), ("jobs", "\(header.jobs)"),
        ("selection", header.selection.isEmpty ? "all" : header.selection.joined(separator: " ")),
        ("baseline", header.baseline.map { "\($0.file) (\($0.digest))" } ?? "none"), ("rerun", header.wholeRerun),
      ]
    return facts.map { ["fact": $0.0.visibleOnOneLine, "value": $0.1.visibleOnOneLine] }
  }

  private static func choices(_ words: [String]) -> [String] { Set(words).sorted().map(\.visibleOnOneLine) }
}
