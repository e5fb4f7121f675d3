import ConformanceModel
import ConformanceVerdict
import Records
import TextKit

/// The cards of a console report. Each card is about one cause of failures, which may affect many requirements and
/// cases.
struct ConsoleCards {
  private let order: CardOrder
  private let runs: [CaseInstance: RunRecord.CaseRun]
  private let paint: Paint
  private let width: Int
  private let style: ConsoleReport.Cards

  /// The number of cases, findings or requirements that a card lists. Some lists contain a multiple of this number. If
  /// there are more, a list contains only the number of the others.
  private static let limit = 3
  /// The number of lines that a card of a requirement should not exceed. The card always shows the account of the case,
  /// the first difference and the command. It shortens further differences and lists so that they fit into the lines
  /// that are left.
  private static let length = 40
  /// The largest number of lines of a note about an advisory violation. If something failed, the notes are shorter,
  /// because people look at the failures first.
  private var noteLength: Int { order.groups.isEmpty ? 2 : 1 }

  init(
    record: RunRecord, rulings: [RunRecord.Ruling], groups: [FailureGroup], paint: Paint, width: Int,
    style: ConsoleReport.Cards
  ) {
    self.style = style
    order = CardOrder(rulings: rulings, groups: groups, showsAllAdvisory: style.showAdvisory)
    runs = record.runs
    self.paint = paint
    self.width = width
  }

  /// The lines of all cards in order: failures, unjudged verdicts, violations that do not fail the run, and the reasons
  /// why verdicts were skipped.
  var lines: [String] { Array(blocks.joined(separator: [""])) }

  /// The same text as ``lines``, as one array of lines for each card.
  var blocks: [[String]] {
    let violations = missingCapabilities + order.groups.map { card($0, word: "FAIL") }
    let stale = order.stale.map { card($0, word: "STALE") }
    let advisory = order.advisory.map { card($0, word: "ADVISORY") }
    let tail = order.known.flatMap(note) + furtherAdvisory + skips
    return limited(violations + stale) + unjudged + limited(advisory) + (tail.isEmpty ? [] : [tail])
  }

  /// The first cards up to the limit, and a line with the number of the other cards.
  private func limited(_ cards: [[String]]) -> [[String]] {
    guard let limit = style.limit, cards.count > limit else { return cards }
    return cards.prefix(limit) + [["… \("card".counted(cards.count - limit)) more; --cards \(cards.count) shows all"]]
  }

  /// One card for each missing capability, since all requirements that depend on a capability fail for the same reason.
  private var missingCapabilities: [[String]] {
    order.capabilities.map { subject, group in
      [paint(.bad, "FAIL") + "  " + paint(.strong, subject.visibleOnOneLine)] + scope(of: group) + [""]
        + example(group[0], namesDefects: false)
    }
  }

  /// The number of requirements and cases in the verdicts, and the names of the requirements.
  private func scope(of group: [RunRecord.Ruling]) -> [String] {
    let requirements = Set(group.map(\.requirement)).sorted().map(\.rawValue)
    let more = requirements.count > Self.limit * 2 ? " …" : ""
    let counts = "\("requirement".counted(requirements.count)) in \("case".counted(Set(group.map(\.instance)).count)): "
    return (counts + requirements.prefix(Self.limit * 2).joined(separator: " ") + more).wrapped(at: width, margin: "  ")
  }

  /// The card of one cause. It contains the requirement to look at first, with one case in full. Lists follow: the
  /// other cases, the requirements that are violated in the same way, and the requirements that are unjudged because of
  /// this cause.
  ///
  /// If the failures may follow from the cause on an earlier card, the card is short.
  private func card(_ group: FailureGroup, word: String) -> [String] {
    if let origin = group.origin, !style.areBrief { return shortCard(group, word: word, after: origin) }
    let rulings = group.lead.rulings
    let lists = [others(rulings), followers(group)]
    return card(rulings, word: word, lists: lists, end: silenced(group))
  }

  /// The card of one requirement: one case in full, and a list of the other cases.
  private func card(_ rulings: [RunRecord.Ruling], word: String) -> [String] {
    card(rulings, word: word, lists: [others(rulings)], end: [])
  }

  private func card(_ rulings: [RunRecord.Ruling], word: String, lists: [CardList], end: [String]) -> [String] {
    let first = rulings[0]
    var head = self.head(rulings, word: word, note: rulings.ordinaryNote)
    if style.areBrief {
      return head + differences(Array(first.findings.prefix(1)), in: 0)
        + ["  rerun     \(first.rerun.visibleOnOneLine)"]
    }
    head += first.rule.citation.visibleOnOneLine.wrapped(at: width, margin: "  ").map { paint(.faint, $0) }
    head += (first.disposition == .stale ? ["", "  \(first.headline ?? "")"] : []) + [""]
    let least = lists.reduce(0) { $0 + $1.leastLength }
    var lines = head + example(first, in: Self.length - head.count - least - end.count)
    for (index, list) in lists.enumerated() {
      let later = lists.dropFirst(index + 1).reduce(0) { $0 + $1.leastLength }
      lines += list.lines(in: Self.length - lines.count - later - end.count)
    }
    return lines + end
  }

  /// The first lines of a card: the requirement, a note, and the text of the requirement.
  private func head(_ rulings: [RunRecord.Ruling], word: String, note: String?) -> [String] {
    let (first, rule) = (rulings[0], rulings[0].rule)
    let feature = rule.feature.map { " · \($0.name)" } ?? ""
    let title = "\(first.requirement) \(rule.level.rawValue)\(feature)".visibleOnOneLine
    let tone: Paint.Tone = first.disposition == .advisory ? .mild : .bad
    return [paint(tone, word) + "  " + paint(.strong, title)]
      + (note.map { "  (\($0))".wrapped(at: width, margin: "  ") } ?? [])
      + rule.text.visibleOnOneLine.wrapped(at: width, margin: "  ")
  }

  /// The short card of a group of failures that may follow from the requirement `origin`. For one case, it shows the
  /// marked lines of the account, the first difference and the command. It shows the other requirements only by id, and
  /// of the other cases only the number.
  private func shortCard(_ group: FailureGroup, word: String, after origin: RequirementID) -> [String] {
    let rulings = group.lead.rulings
    let first = rulings[0]
    let marked = first.story.filter { $0.hasPrefix(">") }.prefix(Self.limit)
    var names: [String] = []
    let further = rulings.count - 1
    if further > 0 { names.append("in \("case".counted(further)) more") }
    func add(_ parts: [FailureGroup.Part], _ words: String) {
      let shown = parts.map { "\($0.requirement) ×\($0.rulings.count)" }.first(Self.limit * 2, "requirement")
      if !parts.isEmpty { names.append("\(words): \(shown)") }
    }
    add(group.followers, "in the same way")
    add(group.silenced, "not judged because of it")
    let rest = names.isEmpty ? [] : ("and " + names.joined(separator: "; ")).wrapped(at: width, margin: "  ")
    let note = "may follow from \(origin), so this card is short"
    return head(rulings, word: word, note: note)
      + first.instance.title.visibleOnOneLine.wrapped(at: width, margin: "  ")
      + marked.map { paint(.strong, "  " + $0.visibleOnOneLine.cut(at: width - 2)) }
      + differences(Array(first.findings.prefix(1)), in: 0)
      + ["  rerun     \(first.rerun.visibleOnOneLine)"] + rest
  }

  /// The requirements that are violated in the same way as the requirement of the card.
  private func followers(_ group: FailureGroup) -> CardList {
    let way = group.shared.map { "  and in the same way, by \($0):" } ?? "  and in the same way:"
    return CardList(
      title: way.visibleOnOneLine.wrapped(at: width, margin: "  "),
      items: group.followers.map { part in
        "\(part.requirement) ×\(part.rulings.count)  \(part.rule.text)".visibleOnOneLine.wrapped(
          at: width, margin: "    ")
      }, noun: "requirement", names: group.followers.map(\.requirement.rawValue), width: width)
  }

  /// The requirements that are unjudged because of the violation that the card shows.
  private func silenced(_ group: FailureGroup) -> [String] {
    guard !group.silenced.isEmpty, !style.areBrief else { return [] }
    let names = group.silenced.map { "\($0.requirement) ×\($0.rulings.count)" }
    let text = "and not judged because of it: " + names.first(Self.limit * 4, "requirement")
    return [""] + text.wrapped(at: width, margin: "  ")
  }

  /// One case in full: the step-by-step account, the differences, and the command that repeats the case. It shows
  /// differences after the first only if the whole text then has at most `room` lines.
  private func example(_ ruling: RunRecord.Ruling, namesDefects: Bool = true, in room: Int = length) -> [String] {
    let title = runs[ruling.instance].map { ": \($0.title)" } ?? ""
    var lines = ("\(ruling.instance.title)" + title).visibleOnOneLine.wrapped(at: width, margin: "  ")
    lines += ruling.story.map { line in
      let text = "  " + line.visibleOnOneLine.cut(at: width - 2)
      return line.hasPrefix(">") ? paint(.strong, text) : paint(.faint, text)
    }
    var end: [String] = []
    if namesDefects, let defects = ruling.defects { end += "could be: \(defects)".wrapped(at: width, margin: "  ") }
    // These lines are never truncated, so that they can be copied.
    if let evidence = runs[ruling.instance]?.evidence { end.append("  evidence  \(evidence.visibleOnOneLine)") }
    end.append("  rerun     \(ruling.rerun.visibleOnOneLine)")
    return lines + differences(ruling.findings, in: room - lines.count - end.count) + end
  }

  /// The first difference, and up to ``limit`` differences if their lines fit into `room`. If there is room, the text
  /// of what was expected gets more lines.
  private func differences(_ findings: [Finding], in room: Int) -> [String] {
    let differences = Difference.all(in: findings)
    func text(_ shown: some Sequence<[String]>, _ more: Int) -> [String] {
      shown.flatMap(\.self) + (more > 0 ? ["  … \("difference".counted(more)) more"] : [])
    }
    var shown = differences.prefix(Self.limit).map { lines($0, expected: Self.limit) }
    while shown.count > 1, text(shown, differences.count - shown.count).count > room { shown.removeLast() }
    let more = differences.count - shown.count
    let whole = text(differences.prefix(shown.count).map { lines($0, expected: Self.limit * 3) }, more)
    return whole.count <= room ? whole : text(shown, more)
  }

  /// The lines of a difference, with at most `limit` lines for what was expected.
  private func lines(_ difference: Difference, expected limit: Int) -> [String] {
    let places = difference.paths.isEmpty ? "" : " " + difference.paths.prefix(Self.limit * 2).joined(separator: ", ")
    let more = difference.paths.count > Self.limit * 2 ? " and \(difference.paths.count - Self.limit * 2) more" : ""
    let numbers = difference.entries.prefix(Self.limit).map { "#\($0)" }.joined(separator: " ")
    let entries = numbers.isEmpty ? "" : " (\(numbers)\(difference.entries.count > Self.limit ? " …" : ""))"
    return (difference.subject + places + more + entries).visibleOnOneLine.wrapped(at: width, margin: "  ")
      + side("expected", .good, difference.expected, limit) + side("observed", .bad, difference.observed, Self.limit)
  }

  /// A text of at most `limit` lines, with a word to the left of its first line.
  private func side(_ word: String, _ tone: Paint.Tone, _ text: String, _ limit: Int) -> [String] {
    let margin = "    \(word.padded(to: 8))  "
    let room = width - margin.count
    let lines = text.visibleOnOneLine.wrapped(at: room).flatMap { $0.pieces(of: room) }
    let shown = lines.count > limit ? Array(lines.prefix(limit - 1)) + ["…"] : lines
    return shown.enumerated().map { index, line in
      (index == 0 ? margin : "".padded(to: margin.count)) + paint(tone, line)
    }
  }

  /// The other cases with the same failure.
  private func others(_ rulings: [RunRecord.Ruling]) -> CardList { others(rulings.dropFirst().map(\.instance)) }

  /// A list of further cases, with one line for each case.
  private func others(_ instances: [CaseInstance]) -> CardList {
    CardList(title: ["  and in \(instances.count) more:"], items: folded(instances).map { [$0] }, noun: "case")
  }

  /// One line for each case, with the rows and dialects of the instances.
  private func folded(_ instances: [CaseInstance]) -> [String] {
    let cases = Dictionary(grouping: instances, by: \.id).sorted { $0.key < $1.key }
    return cases.map { id, group in
      let rows = Set(group.compactMap(\.row)).sorted()
      let shown = rows.prefix(Self.limit).map { "\($0)" }.joined(separator: ", ")
      let more = rows.count > Self.limit ? ", … \(rows.count - Self.limit) more" : ""
      let dialects = Set(group.map(\.dialect)).sorted().map { "@\($0)" }.joined(separator: " ")
      return "    \(id)\(rows.isEmpty ? "" : "[\(shown)\(more)]") \(dialects)".visibleOnOneLine.cut(at: width)
    }
  }

  private func limited(_ lines: [String], _ what: String) -> [String] {
    let room = Self.limit * 2
    return lines.count > room ? lines.prefix(room) + ["    … \(lines.count - room) more \(what)"] : lines
  }

  /// One card for each of the most frequent reasons for unjudged verdicts, since one reason often concerns many cases.
  /// The other reasons share one card, without an example. If something failed, all reasons share this card, because
  /// they may disappear together with the failure.
  private var unjudged: [[String]] {
    let reasons = order.unjudged
    if reasons.isEmpty { return [] }
    let inFull = order.groups.isEmpty ? reasons.prefix(Self.limit) : []
    let rest = reasons.dropFirst(inFull.count).map { group in
      let requirements = Set(group.map(\.requirement)).sorted().map(\.rawValue).first(Self.limit * 4, "requirement")
      let reason = "×\(group.count) \(group[0].headline ?? "") (\(requirements))"
      return reason.visibleOnOneLine.wrapped(at: width, margin: "  ")
    }
    let title = [paint(.unsure, "UNJUDGED") + "  " + "verdict".counted(reasons.joined().count) + ", because"]
    let more = rest.count > Self.limit * 2 ? ["    … \(rest.count - Self.limit * 2) more reasons"] : []
    let lines = title + rest.prefix(Self.limit * 2).flatMap(\.self) + more
    return inFull.map(unjudgedCard) + (rest.isEmpty ? [] : [lines])
  }

  private func unjudgedCard(_ group: [RunRecord.Ruling]) -> [String] {
    let further = Set(group.map(\.instance)).subtracting([group[0].instance])
    let lines =
      [paint(.unsure, "UNJUDGED")]
      + "could not be judged: \(group[0].headline ?? "no reason is given")".wrapped(at: width, margin: "  ")
      + scope(of: group) + [""] + example(group[0])
    return lines + others(Array(further)).lines(in: Self.length - lines.count)
  }

  /// The advisory violations without a card. The first requirements get a note with the finding. The other requirements
  /// are shown only by id, and so is each requirement that the conforming reference violates, too, or whose violation
  /// may follow from a failure.
  private var furtherAdvisory: [String] {
    let further = order.furtherAdvisory
    let ordinary = further.filter { $0.ordinaryNote != nil }
    let rest = further.dropLast(ordinary.count)
    let following = Dictionary(grouping: rest.filter { order.origin(of: $0[0]) != nil }) { order.origin(of: $0[0]) }
    let others = rest.filter { order.origin(of: $0[0]) == nil }
    let more = others.dropFirst(Self.limit * 2)
    func names(_ groups: some Collection<[RunRecord.Ruling]>, _ word: String) -> [String] {
      let names = groups.map { "\($0[0].requirement) ×\($0.count)" }.joined(separator: ", ")
      return groups.isEmpty ? [] : labelled("advisory", .mild, "\(word): \(names)")
    }
    let origins = order.groups.map(\.lead.requirement)
    return others.prefix(Self.limit * 2).flatMap(note) + names(more, "\(more.count) more; --advisory shows them")
      + origins.flatMap { names(following[$0] ?? [], "may follow from \($0)") }
      + names(ordinary, ordinary.joined().ordinaryNote ?? "")
  }

  /// A note about a requirement whose violation does not fail the run, in wrapped lines.
  private func note(_ group: [RunRecord.Ruling]) -> [String] {
    let first = group[0]
    let word = first.disposition == .known ? "known" : "advisory"
    let reason = first.baseline.map { " (\($0))" } ?? ""
    // For a MUST, only the basis can explain why its violation does not fail the run. For other levels, the level
    // explains it.
    let tellsBasis = first.disposition == .advisory && first.rule.level.isRequired
    let basis = tellsBasis ? " (\(first.rule.basis.rawValue))" : ""
    let text = "\(first.requirement) \(first.rule.level.rawValue)\(basis) ×\(group.count)\(reason) "
    let length = first.disposition == .known ? Int.max : noteLength
    return labelled(word, .mild, text + (first.headline ?? ""), in: length)
  }

  /// A wrapped text of at most `length` lines, with a word to the left of its first line. If the text is longer, its last
  /// line ends with "…".
  private func labelled(_ word: String, _ tone: Paint.Tone, _ text: String, in length: Int = .max) -> [String] {
    let whole = text.visibleOnOneLine.wrapped(at: width - 10).flatMap { $0.pieces(of: width - 10) }
    var lines = Array(whole.prefix(length))
    if whole.count > length, let last = lines.popLast() { lines.append((last + " …").cut(at: width - 10)) }
    return lines.enumerated().map { index, line in
      (index == 0 ? paint(tone, word.padded(to: 10)) : "".padded(to: 10)) + line
    }
  }

  /// The reasons why verdicts were skipped, one entry for each reason.
  private var skips: [String] {
    return limited(
      order.skips.flatMap { reason, group in labelled("skipped", .faint, "×\(group.count) \(reason)") },
      "lines on what was skipped")
  }
}

extension Collection<RunRecord.Ruling> {
  /// A note that the conforming reference shows the same violations; nil if it does not show each of them.
  package var ordinaryNote: String? { allSatisfy(\.isOrdinary) ? "ordinary: the reference shows it too" : nil }
}

extension RunRecord.Ruling {
  /// A guess at the cause: the texts of the known defects that cause a similar violation; nil if no defect does.
  package var defects: String? { looksLike.isEmpty ? nil : looksLike.joined(separator: " Or: ").visibleOnOneLine }
}

extension String {
  /// The text in parts of at most `width` characters.
  fileprivate func pieces(of width: Int) -> [String] {
    var pieces: [String] = []
    var rest = self[...]
    while rest.count > width {
      pieces.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    return pieces + [String(rest)]
  }
}
