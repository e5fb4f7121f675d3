import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Records
import TextKit

/// The cards of a page. They have the same order as the cards on the console, but they are complete.
struct HTMLCards {
  private let order: CardOrder
  private let runs: [CaseInstance: RunRecord.CaseRun]
  private let definition: ProtocolDefinition?
  private let evidence: HTMLReport.Evidence

  /// The longest text in a card, in characters. Longer texts are truncated, so that values from a subject cannot make
  /// the page arbitrarily large.
  private static let longest = 4000

  init(
    record: RunRecord, order: CardOrder, definition: ProtocolDefinition?, evidence: @escaping HTMLReport.Evidence
  ) {
    self.order = order
    runs = record.runs
    self.definition = definition
    self.evidence = evidence
  }

  var failures: [HTMLReport.Values] {
    order.capabilities.map { subject, rulings in
      var card = card(rulings, word: "FAIL", title: subject)
      card["scope"] = scope(of: rulings)
      return card
    } + order.groups.map { card($0, word: "FAIL", kind: "card") }
  }

  var stale: [HTMLReport.Values] { order.stale.map { card($0, word: "STALE", kind: "stale") } }

  var advisory: [HTMLReport.Values] { order.advisory.map { card($0, word: "ADVISORY", kind: "advisory") } }

  var unjudged: [HTMLReport.Values] {
    order.unjudged.map { rulings in
      let reason = rulings[0].headline ?? "no reason is given"
      var card = card(rulings, word: "UNJUDGED", title: "could not be judged: \(reason)")
      card["scope"] = scope(of: rulings)
      return card
    }
  }

  /// The values of one line for each group of rulings about a requirement: the requirement, the number of rulings, and
  /// the reason in the baseline or another note.
  func notes(on groups: [[RunRecord.Ruling]]) -> [HTMLReport.Values] {
    groups.map { group in
      var note: HTMLReport.Values = [
        "noteRule": MarkupTemplates.anchor(group[0].requirement.rawValue),
        "noteRuleName": group[0].requirement.rawValue.visibleOnOneLine, "noteLevel": group[0].rule.level.rawValue,
        "count": group.count, "what": shown(group[0].headline ?? ""),
      ]
      note["because"] = group[0].baseline?.visibleOnOneLine ?? group.ordinaryNote
      return note
    }
  }

  /// Describes which requirements and how many runs of cases the rulings are about, such as `2 requirements in 3 cases:
  /// A-1 A-2`.
  private func scope(of rulings: [RunRecord.Ruling]) -> String {
    let requirements = Set(rulings.map(\.requirement)).sorted().map(\.rawValue)
    let cases = Set(rulings.map(\.instance)).count
    return "\("requirement".counted(requirements.count)) in \("case".counted(cases)): "
      + shown(requirements.joined(separator: " "))
  }

  private func card(_ group: FailureGroup, word: String, kind: String) -> HTMLReport.Values {
    var card = self.card(group.lead.rulings, word: word, kind: kind)
    card["way"] = group.shared.map { ", by \(shown($0))" } ?? ""
    card["followers"] = parts(group.followers)
    card["hasFollowers"] = !group.followers.isEmpty
    card["silenced"] = parts(group.silenced)
    card["hasSilenced"] = !group.silenced.isEmpty
    return card
  }

  private func parts(_ parts: [FailureGroup.Part]) -> [HTMLReport.Values] {
    parts.map {
      [
        "follower": MarkupTemplates.anchor($0.requirement.rawValue),
        "followerName": $0.requirement.rawValue.visibleOnOneLine, "times": $0.rulings.count,
        "followerText": shown($0.rule.text),
      ]
    }
  }

  /// The card for these rulings, with the first of them as the example. Its title is `title` or, if this is nil, the
  /// level and feature of the requirement. If `kind` is not nil, all rulings are about one requirement, and the card
  /// contains its sentence and an anchor.
  private func card(
    _ rulings: [RunRecord.Ruling], word: String, kind: String? = nil, title: String? = nil
  ) -> HTMLReport.Values {
    let first = rulings[0]
    let others = rulings.dropFirst().map { shown($0.instance.title) }
    var card: HTMLReport.Values = [
      "cardWord": word, "cardTone": word.lowercased(), "instance": shown(first.instance.title),
      "caseTitle": shown(runs[first.instance]?.title ?? ""),
      "differences": Difference.all(in: first.findings).map(values), "rerun": first.rerun.visibleOnOneLine,
      "copyName": first.testName, "others": others, "otherCount": others.count, "hasOthers": !others.isEmpty,
      "story": first.story.map { ["line": shown($0), "isStep": $0.hasPrefix(">")] as HTMLReport.Values },
      "hasStory": !first.story.isEmpty, "messages": [HTMLReport.Values](),
      "cardTitle": shown(title ?? first.rule.level.rawValue + (first.rule.feature.map { " · \($0.name)" } ?? "")),
    ]
    if let kind {
      card["lead"] = first.requirement.rawValue.visibleOnOneLine
      card["leadAnchor"] = MarkupTemplates.anchor(first.requirement.rawValue)
      card["cardAnchor"] = CardOrder.anchor(of: first.requirement, kind)
      card["ruleText"] = shown(first.rule.text)
      card["citation"] = shown(first.rule.citation)
    }
    if first.disposition == .stale { card["staleText"] = first.headline }
    if kind != nil, let defects = first.defects { card["defects"] = shown(defects) }
    addEvidence(of: first, to: &card)
    return card
  }

  /// Adds to the card the diagram of the case's messages, the messages that findings name, and the command that shows
  /// all messages of the case.
  private func addEvidence(of ruling: RunRecord.Ruling, to card: inout HTMLReport.Values) {
    guard let run = runs[ruling.instance], let path = run.evidence else { return }
    let around = ruling.findings.lazy.compactMap(\.entries.first).first.map { " --around \($0)" } ?? ""
    card["show"] = "conform show \(path.quotedForShell)\(around)".visibleOnOneLine
    guard let transcript = evidence(run) else {
      card["lack"] = "The messages are not shown: the evidence of this case is missing, or is not what was recorded."
      return
    }
    let judged = Set(ruling.findings.flatMap(\.entries))
    let diagram = SequenceDiagram(of: transcript, judged: judged, in: definition)
    if !diagram.rows.isEmpty { card["diagram"] = diagram.values }
    card["messages"] = JudgedMessage.all(in: transcript, ruling.findings).map { message in
      [
        "number": message.number, "messageTitle": shown(message.title),
        "lines": message.lines.map { ["line": shown($0.text), "isMarked": $0.isMarked] as HTMLReport.Values },
      ] as HTMLReport.Values
    }
  }

  private func values(of difference: Difference) -> HTMLReport.Values {
    let entries = difference.entries.map { "#\($0)" }.joined(separator: " ")
    return [
      "about": shown(([difference.subject] + difference.paths).joined(separator: " ")), "entries": entries.cut(at: 200),
      "expected": shown(difference.expected), "observed": shown(difference.observed),
    ]
  }

  private func shown(_ text: String) -> String { text.cut(at: Self.longest).visibleOnOneLine }
}
