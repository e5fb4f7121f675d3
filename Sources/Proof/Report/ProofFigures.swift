import ConformanceModel
import JSONKit
import TextKit

/// The figures of a proof, each with its denominator: for a terminal, for a README, and for programs.
package struct ProofFigures {
  /// The output formats of the figures.
  package enum Format: String, CaseIterable, Sendable {
    case text, json, markdown
  }

  /// One figure: `K*`, `6/6 = 100.0 %`, its meaning, and its numbers by name.
  private struct Figure {
    var name: String
    var value: String
    var meaning: String
    var numbers: [(String, JSON?)]

    init(_ name: String, _ value: String, _ meaning: String, _ numbers: [(String, JSON?)]) {
      (self.name, self.value, self.meaning, self.numbers) = (name, value, meaning, numbers)
    }

    init(_ name: String, _ rate: ProofReport.Rate, _ meaning: String, _ further: [(String, JSON?)] = []) {
      self.init(name, rate.description, meaning, [("hits", .int(rate.hits)), ("all", .int(rate.all))] + further)
    }
  }

  let report: ProofReport
  let catalogue: Catalogue

  /// One line for each figure, and a line about the result of the proof.
  package var text: String {
    let figures = self.figures
    let width = figures.reduce(Self.nameWidth) { max($0, $1.name.count + 1) }
    let lines = figures.map { figure in
      figure.name.padded(to: width) + figure.value + " " + figure.meaning
    }
    return (lines + [conclusion]).joined(separator: "\n") + "\n"
  }

  /// A Markdown table of the figures, and the result of the proof.
  package var markdown: String {
    let rows =
      [["figure", "value", "of what"], ["---", "---", "---"]]
      + figures.map { [$0.name, $0.value, $0.meaning].map(\.escapedForMarkdown) }
    let table = rows.map { "| " + $0.joined(separator: " | ") + " |" }
    return (table + ["", "\(catalogue.definition.title), revision \(catalogue.definition.revision): \(conclusion)."])
      .joined(separator: "\n") + "\n"
  }

  /// A JSON object with the figures and the complaints.
  package func json(complaints: [String]) -> String {
    let figures = figures.map { figure in
      JSON.object(
        compact: [("figure", .string(figure.name))] + figure.numbers + [
          ("text", .string(figure.value)), ("meaning", .string(figure.meaning)),
        ])
    }
    let whole = JSON.object(compact: [
      ("protocol", .string(catalogue.definition.name)), ("specRevision", .string(catalogue.definition.revision)),
      ("packDigest", .string(catalogue.digest)), ("holds", .bool(report.holds)),
      ("shortcomings", .strings(report.shortcomings)), ("figures", .array(figures)),
      ("lines", .array(complaints.map(JSON.string))),
    ])
    return whole.prettyText + "\n"
  }

  private static let nameWidth = 11

  package init(report: ProofReport, catalogue: Catalogue) {
    self.report = report
    self.catalogue = catalogue
  }

  private var conclusion: String {
    report.holds ? "the proof holds" : "the proof does not hold: " + report.shortcomings.joined(separator: ", ")
  }

  /// The figures of the parts that were performed.
  private var figures: [Figure] {
    kills + blame + others + crosstalk + [
      Figure(
        "unjudged", "\(report.unjudged.count)", "verdicts on the references and their variants",
        [("count", .int(report.unjudged.count))])
    ]
  }

  private var kills: [Figure] {
    guard !report.trials.isEmpty else { return [] }
    let sides = catalogue.definition.roleNames.compactMap { role in
      let count = report.trials.count { $0.defect.side == role }
      return count == 0 ? nil : (role, count)
    }
    return [
      Figure(
        "tried", sides.map { "\($0.1) \($0.0)" }.joined(separator: ", "), "defects, by the roles that have them",
        sides.map { ($0.0.rawValue, .int($0.1)) }),
      Figure(
        "K* (MUST)", report.requiredKillRate,
        "defects that break a mandatory requirement, noticed by a claim about the requirement that they name"),
      Figure("K*", report.namedKillRate, "of all defects"),
      Figure("R", report.requirementCoverage, "mandatory requirements seen to fail"),
    ]
  }

  private var blame: [Figure] {
    var figures: [Figure] = []
    if let rate = report.blameRate, let silence = report.silence {
      figures = [
        Figure("B", rate, "of the requirements that single defects violate are those that they break"),
        Figure(
          "silenced", percent(silence.median),
          "of the other requirements by a single defect in the median, \(percent(silence.worst)) at worst",
          [
            ("median", JSON.Number(silence.median).map(JSON.number)),
            ("worst", JSON.Number(silence.worst).map(JSON.number)),
          ]),
      ]
    }
    if let rate = report.firstCardRate {
      let tenths = Int((report.furtherCards * 10).rounded())
      figures.append(
        Figure(
          "C", rate,
          "of the reports of single defects begin with a requirement that the defect breaks; "
            + "\(tenths / 10).\(tenths % 10) further cards in the mean"))
    }
    if let rate = report.rerunRate {
      figures.append(Figure("rerun", rate, "of the cards have a command that shows the violation again"))
    }
    if let rate = report.guessRate {
      figures.append(Figure("guess", rate, "of the cards that guess a cause name the defect that is on"))
    }
    return figures
  }

  private var crosstalk: [Figure] {
    var figures: [Figure] = []
    if let recall = report.recall, let precision = report.precision {
      let count = report.crosstalk.count
      figures += [
        Figure(
          "X recall", recall,
          "of the defects that are on together and observable violate their own requirement, in \(count) implementations",
          [("subjects", .int(count))]),
        Figure(
          "X precision", precision,
          "of the violated requirements are named by a defect that is on or a missing capability"),
      ]
    }
    if let equal = report.equalVerdicts {
      figures.append(
        Figure(
          "E", equal, "verdicts are equal alone, filtered and in the whole run, with \(report.equality.count) defects",
          [("defects", .int(report.equality.count))]))
    }
    return figures
  }

  private var others: [Figure] {
    var figures: [Figure] = []
    if !report.vacuity.isEmpty {
      let names = report.vacuity.map(\.name)
      figures.append(
        Figure(
          "V", "\(report.vacuousPasses.count)",
          "mandatory verdicts passed by \(names.count) no-op implementations (\(Self.grouped(Self.kinds(of: names))))"
            + ", besides \(report.earnedIdlePasses) of requirements that they meet",
          [
            ("passed", .int(report.vacuousPasses.count)), ("subjects", .int(names.count)),
            ("earned", .int(report.earnedIdlePasses)),
          ]))
    }
    if !report.falseAlarms.isEmpty {
      figures.append(
        Figure(
          "F", "\(report.falseAlarmCount)", "verdicts failed by \(report.falseAlarms.count) legal variants",
          [("failed", .int(report.falseAlarmCount)), ("variants", .int(report.falseAlarms.count))]))
    }
    if !report.mutants.isEmpty {
      let legal = report.mutants.count { $0.explanation != nil }
      figures.append(
        Figure(
          "M", report.mutantKillRate, "kinds of transcript mutations detected, \(legal) legal for a reason",
          [("legal", .int(legal))]))
    }
    if report.isStopped {
      figures.append(
        Figure(
          "stopped", "no defect was tried:",
          "mutations of a subject that does not conform prove nothing; first correct what fails without them", []))
    }
    return figures
  }

  /// The names without error kinds, each once: `refusing (timeout) sdk` is a `refusing sdk`.
  private static func kinds(of names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.map { name in
      guard let open = name.firstRange(of: " ("), let close = name.lastIndex(of: ")") else { return name }
      return String(name[..<open.lowerBound] + name[name.index(after: close)...])
    }.filter { seen.insert($0).inserted }
  }

  /// Joins neighbouring names whose last words are equal: `null, lying sdk; null server`.
  private static func grouped(_ names: [String]) -> String {
    let pairs = names.map { name in
      let kind = name.prefix { $0 != " " }
      return (kind, name.dropFirst(kind.count))
    }
    var groups: [(kinds: [Substring], rest: Substring)] = []
    for (kind, rest) in pairs {
      if groups.last?.rest == rest {
        groups[groups.count - 1].kinds.append(kind)
      } else {
        groups.append(([kind], rest))
      }
    }
    return groups.map { $0.kinds.joined(separator: ", ") + $0.rest }.joined(separator: "; ")
  }

  /// The share as text, such as `2.5 %`.
  private func percent(_ share: Double) -> String {
    let tenths = Int((share * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
