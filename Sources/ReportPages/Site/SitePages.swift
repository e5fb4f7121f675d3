import ConformanceModel
import ConformanceVerdict
import Records

/// The values of the pages of a site.
struct SitePages {
  private let site: Site
  private let style = PackageResources.site_css
  private let script = PackageResources.site_js
  private let hasCertificates: Bool
  /// The largest number of changes that a page lists.
  private static let changes = 50

  init(_ site: Site, hasCertificates: Bool) {
    self.site = site
    self.hasCertificates = hasCertificates
  }

  /// The values that every page has. `up` is the relative path from the folder of the page to the folder of the site.
  private func common(_ title: String, up: String) -> HTMLReport.Values {
    let definition = site.catalogue.definition
    return [
      "style": String(decoding: style, as: UTF8.self), "styleDigest": MarkupTemplates.source(of: style),
      "script": String(decoding: script, as: UTF8.self), "scriptDigest": MarkupTemplates.source(of: script),
      "title": title.visibleOnOneLine, "protocol": definition.name.visibleOnOneLine,
      "revision": definition.revision.visibleOnOneLine, "gate": site.gate.rawValue, "up": up,
    ]
  }

  var index: HTMLReport.Values {
    var values = common("Feature parity", up: "")
    values["hasCertificates"] = hasCertificates
    values["roles"] = site.matrices.map { matrix -> HTMLReport.Values in
      let own = site.subjects.filter { $0.role == matrix.role }
      let all = matrix.overall.isEmpty ? [] : [("all dialects, by the worst", "all", matrix.overall)]
      let parts = all + matrix.parts.map { ("dialect \($0.dialect)", $0.dialect.rawValue, $0.rows) }
      return [
        "role": matrix.role.rawValue.visibleOnOneLine,
        "tables": parts.map { table($0.0, "\(matrix.role)-\($0.1)", $0.2, own) },
        "choices": parts.map { part in
          [
            "choice": part.0.visibleOnOneLine, "choiceTable": MarkupTemplates.identifier("\(matrix.role)-\(part.1)"),
          ] as HTMLReport.Values
        }, "hasChoices": parts.count > 1,
      ]
    }
    values["subjects"] = site.subjects.indices.map(line)
    values["requirements"] = site.requirements.map { requirement in
      [
        "id": requirement.id.rawValue, "file": MarkupTemplates.anchor(requirement.id.rawValue),
        "level": requirement.level.rawValue, "sentence": requirement.text.visibleOnOneLine,
      ] as HTMLReport.Values
    }
    return values
  }

  private func table(
    _ title: String, _ name: String, _ rows: [ParityMatrix.Row], _ subjects: [SiteSubject]
  ) -> HTMLReport.Values {
    [
      "tableTitle": title.visibleOnOneLine, "tableName": MarkupTemplates.identifier(name),
      "columns": subjects.map { ["column": $0.title, "columnFile": $0.slug] as HTMLReport.Values },
      "rows": rows.map { row in
        [
          "number": row.feature.number, "feature": row.feature.name.visibleOnOneLine,
          "cells": zip(subjects, row.cells).map { subject, cell in
            [
              "cellFile": subject.slug, "anchor": "feature-\(row.feature.number)", "figure": cell.figure,
              "tone": cell.status.tone, "isLink": cell.status != .none,
            ] as HTMLReport.Values
          },
        ] as HTMLReport.Values
      },
    ]
  }

  /// The template values for the line of one subject in the list of subjects.
  private func line(_ index: Int) -> HTMLReport.Values {
    let subject = site.subjects[index]
    let run = subject.newest
    let figures = site.figures(of: index)
    return [
      "name": subject.name, "file": subject.slug, "version": subject.version,
      "role": subject.role.rawValue.visibleOnOneLine, "verdict": run.conclusion.word.badge,
      "tone": run.conclusion.word.rawValue, "held": figures.held, "required": figures.required,
      "when": run.header.startedAt.visibleOnOneLine,
    ]
  }

  func subject(_ index: Int) -> HTMLReport.Values {
    let subject = site.subjects[index]
    var values = common(subject.title, up: "../").merging(line(index)) { $1 }
    values["runs"] = subject.runs.reversed().map { run in
      [
        "runVersion": SiteSubject.version(of: run, subject.role), "runWhen": run.header.startedAt.visibleOnOneLine,
        "runVerdict": run.conclusion.word.badge, "runTone": run.conclusion.word.rawValue,
        "runAdapter": SiteSubject.adapter(of: run, subject.role), "runKit": run.header.kit.visibleOnOneLine,
        "runRevision": run.header.specRevision.visibleOnOneLine, "tally": tally(run.tally),
      ] as HTMLReport.Values
    }
    values["features"] = site.catalogue.definition.features.map { feature in
      [
        "number": feature.number, "feature": feature.name.visibleOnOneLine,
        "parts": site.matrixParts(of: index).compactMap { part, rows in
          rows.first { $0.0.number == feature.number }.map { cell(part, $0.1) }
        },
      ] as HTMLReport.Values
    }
    values["results"] = site.results[index].map { result in
      self.result(result).merging([
        "id": result.requirement.rawValue.visibleOnOneLine,
        "file": MarkupTemplates.anchor(result.requirement.rawValue), "level": result.worst.rule.level.rawValue,
        "sentence": result.worst.rule.text.visibleOnOneLine,
      ]) { $1 }
    }
    values.merge(changes(of: subject)) { $1 }
    return values
  }

  private func cell(_ dialect: Dialect, _ cell: ParityMatrix.Cell) -> HTMLReport.Values {
    [
      "dialect": dialect.rawValue.visibleOnOneLine, "figure": cell.figure, "tone": cell.status.tone,
      "flaws": (cell.violated.map { ($0, "violated") } + cell.unjudged.map { ($0, $0.wasRun ? "unjudged" : "not run") })
        .map { flaw, word in
          [
            "flaw": flaw.requirement.rawValue.visibleOnOneLine,
            "flawFile": MarkupTemplates.anchor(flaw.requirement.rawValue), "flawWord": word,
          ] as HTMLReport.Values
        },
    ]
  }

  private func changes(of subject: SiteSubject) -> HTMLReport.Values {
    let last = Array(subject.runs.suffix(2))
    guard last.count == 2 else { return ["hasChanges": false] }
    let diff = RecordDiff(from: last[0], to: last[1])
    let shown = diff.changes.prefix(Self.changes)
    // An earlier pack may contain requirements that the pack of the site does not contain.
    let pages = Set(site.requirements.map(\.id))
    return [
      "hasChanges": true, "changeSummary": diff.summary.visibleOnOneLine,
      "changes": shown.map { change in
        [
          "kind": change.kind.rawValue, "changeID": change.requirement.rawValue.visibleOnOneLine,
          "changeFile": MarkupTemplates.anchor(change.requirement.rawValue),
          "hasPage": pages.contains(change.requirement),
          "changeCase": change.instance.title.visibleOnOneLine,
          "transition": [change.old, change.new].map { $0?.rawValue ?? "none" }.joined(separator: " → "),
        ] as HTMLReport.Values
      },
      "moreChanges": diff.changes.count - shown.count, "hasMoreChanges": diff.changes.count > shown.count,
    ]
  }

  func requirement(_ requirement: Requirement) -> HTMLReport.Values {
    var values = common(requirement.id.rawValue, up: "../")
    let source = requirement.source
    let positions = site.catalogue.positions.filter { requirement.positions.contains($0.id) }
    let cases = site.cases[requirement.id] ?? []
    values["sentence"] = requirement.text.visibleOnOneLine
    values["level"] = requirement.level.rawValue
    values["citation"] =
      "\(source.document), \(source.section), revision \(source.revision) (\(requirement.basis.rawValue))"
      .visibleOnOneLine
    values["positions"] = positions.map {
      ["position": $0.id.rawValue, "gap": $0.gap.visibleOnOneLine, "taken": $0.text.visibleOnOneLine]
        as HTMLReport.Values
    }
    values["cases"] = cases.map { ["caseID": "\($0.id)", "caseTitle": $0.title.visibleOnOneLine] as HTMLReport.Values }
    values["hasCases"] = !cases.isEmpty
    let results = site.subjects.indices.compactMap { index -> HTMLReport.Values? in
      site.results[index].first { $0.requirement == requirement.id }.map { found in
        result(found).merging([
          "name": site.subjects[index].title, "file": site.subjects[index].slug,
        ]) { $1 }
      }
    }
    values["results"] = results
    values["hasResults"] = !results.isEmpty
    return values
  }

  private func result(_ result: SiteResult) -> HTMLReport.Values {
    [
      "worst": result.worst.disposition.rawValue, "tally": tally(result.tally),
      "reason": (result.worst.headline ?? "").cut(at: 300),
    ]
  }

  private func tally(_ tally: Tally) -> [HTMLReport.Values] {
    HTMLVerdicts.order.filter { tally[$0] > 0 }.map {
      ["tallyCount": tally[$0], "tallyWord": $0.rawValue] as HTMLReport.Values
    }
  }
}

extension ParityMatrix.Status {
  /// The CSS class of cells with the status.
  fileprivate var tone: String { self == .none ? "none" : rawValue.lowercased() }
}
