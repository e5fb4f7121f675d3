import ConformanceModel

/// The cards of a console report: one a requirement that is not green, however many cases show it.
struct ConsoleCards {
  private let rulings: [RunRecord.Ruling]
  private let runs: [CaseInstance: RunRecord.CaseRun]
  private let paint: Paint
  private let width: Int

  /// How many further cases, findings or requirements a card names before it only counts them.
  private static let limit = 8

  init(record: RunRecord, paint: Paint, width: Int) {
    rulings = record.distinctRulings
    runs = record.runs
    self.paint = paint
    self.width = width
  }

  /// Failures first, then what could not be told, then what fails nothing.
  var lines: [String] {
    let violations = missingCapabilities + groups(of: .fail).map(violation)
    let stale = groups(of: .stale).map(violation)
    let notes = groups(of: .known).flatMap(note) + groups(of: .advisory).flatMap(note)
    let blocks = violations + stale + unjudged + (notes.isEmpty ? [] : [notes])
    return Array(blocks.joined(separator: [""]))
  }

  private func groups(of disposition: Disposition) -> [[RunRecord.Ruling]] {
    let chosen = rulings.filter { $0.disposition == disposition && $0.missingCapability == nil }
    return Dictionary(grouping: chosen, by: \.requirement).sorted { $0.key < $1.key }.map(\.value)
  }

  /// One card for each capability that the subject lacks, since all that rests on it fails alike.
  private var missingCapabilities: [[String]] {
    let lacking = rulings.filter { $0.missingCapability != nil }
    let groups = Dictionary(grouping: lacking) { $0.missingCapability ?? "" }.sorted { $0.key < $1.key }
    return groups.map { subject, group in
      [paint(.bad, "FAIL") + "  " + paint(.strong, subject.visibleOnOneLine)] + scope(of: group) + [""]
        + example(group[0])
    }
  }

  /// How many requirements and cases the rulings are about, and which requirements.
  private func scope(of group: [RunRecord.Ruling]) -> [String] {
    let requirements = Set(group.map(\.requirement)).sorted().map(\.rawValue)
    let more = requirements.count > Self.limit ? " …" : ""
    let counts = "\("requirement".counted(requirements.count)) in \("case".counted(Set(group.map(\.instance)).count)): "
    return (counts + requirements.prefix(Self.limit).joined(separator: " ") + more).wrapped(at: width, margin: "  ")
  }

  private func violation(_ group: [RunRecord.Ruling]) -> [String] {
    guard let first = group.first else { return [] }
    let rule = first.rule
    let word = first.disposition == .stale ? "STALE" : "FAIL"
    let feature = rule.feature.map { " · \($0.name)" } ?? ""
    let title = "\(first.requirement) \(rule.level.rawValue)\(feature)".visibleOnOneLine
    return [paint(.bad, word) + "  " + paint(.strong, title)]
      + rule.text.visibleOnOneLine.wrapped(at: width, margin: "  ")
      + rule.citation.visibleOnOneLine.wrapped(at: width, margin: "  ").map { paint(.faint, $0) }
      + (first.disposition == .stale ? ["", "  \(first.headline ?? "")"] : []) + [""] + example(first)
      + others(of: group)
  }

  /// One case in full: the difference, what the wire showed, and how to see it again.
  private func example(_ ruling: RunRecord.Ruling) -> [String] {
    let title = runs[ruling.instance].map { ": \($0.title)" } ?? ""
    var lines = ("\(ruling.instance.title)" + title).visibleOnOneLine.wrapped(at: width, margin: "  ")
    lines += ruling.findings.prefix(Self.limit).flatMap(difference)
    if ruling.findings.count > Self.limit { lines.append("    … \(ruling.findings.count - Self.limit) more findings") }
    lines += ruling.excerpt.map { paint(.faint, "    " + $0.visibleOnOneLine.cut(at: width - 4)) }
    if let evidence = runs[ruling.instance]?.evidence { lines.append("    evidence  \(evidence.visibleOnOneLine)") }
    // Never cut: it is there to be copied.
    return lines + ["    rerun     \(ruling.rerun.visibleOnOneLine)"]
  }

  private func difference(_ finding: Finding) -> [String] {
    let place = finding.path == .root ? finding.subject : "\(finding.subject) \(finding.path)"
    let entries = finding.entries.prefix(Self.limit).map { "#\($0)" }.joined(separator: " ")
    let more = finding.entries.count > Self.limit ? " …" : ""
    return ["    " + place.visibleOnOneLine]
      + labelled("expected", paint(.good, finding.expected.visibleOnOneLine))
      + labelled("observed", paint(.bad, finding.observed.visibleOnOneLine))
      + (entries.isEmpty ? [] : labelled("entries", entries + more))
  }

  private func labelled(_ word: String, _ text: String) -> [String] { ["      \(word.padded(to: 8))  \(text)"] }

  /// The other cases that show it: named where they show the same, each with its difference where not.
  private func others(of group: [RunRecord.Ruling]) -> [String] {
    guard let first = group.first, group.count > 1 else { return [] }
    let rest = group.dropFirst()
    let same = rest.filter { $0.differences == first.differences }
    let other = rest.filter { $0.differences != first.differences }
    var lines: [String] = []
    if !same.isEmpty {
      lines += ["", "  and the same in \(same.count) more"] + listed(same.map(\.instance))
    }
    if !other.isEmpty {
      lines += ["", "  and otherwise in \(other.count) more"]
      lines += other.prefix(Self.limit).map { "    \($0.instance.title): \($0.headline ?? "")".cut(at: width) }
      if other.count > Self.limit { lines.append("    … \(other.count - Self.limit) more in the run record") }
    }
    return lines
  }

  /// Runs of cases, a line a case with all its dialects.
  private func listed(_ instances: [CaseInstance]) -> [String] {
    let cases = Dictionary(grouping: instances, by: \.name).sorted { $0.key < $1.key }
    let lines = cases.map { name, group in
      let dialects = group.map { "@\($0.dialect)" }.sorted().joined(separator: " ")
      return "    \(name) \(dialects)".visibleOnOneLine.cut(at: width)
    }
    let more = lines.count - Self.limit
    return more > 0 ? lines.prefix(Self.limit) + ["    … \(more) more in the run record"] : lines
  }

  /// One card for each reason, since one reason often stops many cases.
  private var unjudged: [[String]] {
    let chosen = rulings.filter { $0.disposition == .error }
    let reasons = Dictionary(grouping: chosen) { $0.verdict.outcome.reason ?? "no reason is given" }
    return reasons.sorted { $0.value[0].testName < $1.value[0].testName }.map { reason, group in
      let others = Set(group.map(\.instance)).subtracting([group[0].instance])
      return [paint(.unsure, "UNJUDGED")]
        + "could not tell because \(reason.visibleOnOneLine)".wrapped(at: width, margin: "  ")
        + scope(of: group) + [""] + example(group[0])
        + (others.isEmpty ? [] : ["", "  and in"] + listed(Array(others)))
    }
  }

  /// A sentence for a requirement whose violation fails nothing.
  private func note(_ group: [RunRecord.Ruling]) -> [String] {
    let first = group[0]
    let word = first.disposition == .known ? "known" : "advisory"
    let reason = first.baseline.map { " (\($0))" } ?? ""
    let count = group.count > 1 ? " and \(group.count - 1) more" : ""
    // Only what a MUST rests on tells why it fails nothing.
    let tellsBasis = first.disposition == .advisory && first.rule.level.isRequired
    let basis = tellsBasis ? " (basis: \(first.rule.basis.rawValue))" : ""
    let text = "\(first.requirement) \(first.rule.level.rawValue)\(basis), \(first.instance.title)\(count): "
    let lines = (text + (first.headline ?? "") + reason).visibleOnOneLine.wrapped(at: width - 10)
    return lines.enumerated().map { index, line in
      (index == 0 ? paint(.mild, word.padded(to: 10)) : "".padded(to: 10)) + line
    }
  }
}

extension RunRecord.Ruling {
  /// The finding's subject when what is wrong is that the subject lacks a capability that every one must have.
  var missingCapability: String? {
    guard case .violates(let findings) = verdict.outcome, let first = findings.first, first.isMissingCapability
    else { return nil }
    return first.subject
  }

  /// What is wrong, without the entries, which differ from run to run of the same violation.
  fileprivate var differences: [[String]] {
    findings.map { [$0.subject, $0.path.description, $0.expected, $0.observed] }
  }
}
