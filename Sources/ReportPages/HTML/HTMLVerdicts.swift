import ConformanceModel
import ConformanceVerdict

/// The tables of all requirements and of all verdicts. Each requirement has an anchor, and so has the first row of each
/// run of a case.
struct HTMLVerdicts {
  let rulings: [RunRecord.Ruling]

  /// The largest number of characters of the reason that a row shows for its verdict.
  private static let longest = 300

  var rows: [HTMLReport.Values] {
    var seen: Set<CaseInstance> = []
    return rulings.map { ruling in
      let place = ruling.instance.title.visibleOnOneLine
      var row: HTMLReport.Values = [
        "requirement": MarkupTemplates.anchor(ruling.requirement.rawValue),
        "requirementName": ruling.requirement.rawValue.visibleOnOneLine, "place": place,
        "disposition": ruling.disposition.rawValue, "level": ruling.rule.level.rawValue,
        "dialect": ruling.instance.dialect.rawValue.visibleOnOneLine,
        "featureName": ruling.rule.feature?.name.visibleOnOneLine ?? "",
        "why": (ruling.headline ?? "").cut(at: Self.longest),
      ]
      if seen.insert(ruling.instance).inserted {
        row["caseAnchor"] = "case-" + MarkupTemplates.identifier(place.replacing(" ", with: ""))
      }
      return row
    }
  }

  /// One row for each requirement: its sentence, its source, and its verdicts by disposition.
  ///
  /// - Parameter cards: maps each requirement to the anchor of the card about it.
  func rules(cards: [RequirementID: String]) -> [HTMLReport.Values] {
    Dictionary(grouping: rulings, by: \.requirement).sorted { $0.key < $1.key }.map { id, group in
      let counts = Tally(group.map(\.disposition))
      let tally = Self.order.filter { counts[[$0]] > 0 }.map { disposition in
        [
          "tallyCount": counts[[disposition]], "tallyWord": disposition.rawValue, "tallyTone": disposition.rawValue,
        ] as HTMLReport.Values
      }
      var row: HTMLReport.Values = [
        "rule": MarkupTemplates.anchor(id.rawValue), "ruleName": id.rawValue.visibleOnOneLine,
        "ruleLevel": group[0].rule.level.rawValue, "sentence": group[0].rule.text.visibleOnOneLine,
        "ruleSource": group[0].rule.citation.visibleOnOneLine, "tally": tally,
      ]
      row["cardLink"] = cards[id]
      return row
    }
  }

  /// The order of dispositions in a row: the most urgent comes first.
  static let order: [Disposition] = [.fail, .stale, .error, .advisory, .known, .skipped, .pass]
}
