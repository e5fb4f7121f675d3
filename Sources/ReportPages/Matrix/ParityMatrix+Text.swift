import ConformanceModel
import JSONKit
import TextKit

extension ParityMatrix {
  /// The output formats of a matrix.
  package enum Format: String, CaseIterable, Sendable {
    case markdown, csv, json
  }

  /// The text of the matrix in this format. The same records always result in the same bytes.
  package func text(_ format: Format) -> String {
    switch format {
    case .markdown: markdown
    case .csv: csv
    case .json: json.prettyText + "\n"
    }
  }

  /// A table for each dialect, with features as rows and subjects as columns. A note explains each cell unless the cell
  /// is *Done* or empty. If there are several dialects, the first table shows the worst status of each feature in all
  /// dialects.
  package var markdown: String {
    let title = "# Feature parity: \(protocolName), \(role.rawValue)"
    let basis = "Computed from verdicts (specification of \(revision), gate `\(gate.rawValue)`); not edited by hand."
    let worst = overall.isEmpty ? [] : ["", "## All dialects, by the worst", ""] + table(overall)
    return ([title, "", basis] + worst + parts.flatMap(section) + adapterNotes).joined(separator: "\n") + "\n"
  }

  /// A section that reports for each SDK whether its adapter calls the SDK or does the SDK's work itself. Empty if the
  /// records contain no such report.
  private var adapterNotes: [String] {
    let notes = zip(subjects, adapters).filter { !$0.1.isEmpty }.map { subject, text in
      "- **\(subject.escapedForMarkdown)**: \(text.escapedForMarkdown)"
    }
    return notes.isEmpty ? [] : ["", "## Adapters", ""] + notes
  }

  private func table(_ rows: [Row]) -> [String] {
    let header = ["#", "Feature"] + subjects.map(\.escapedForMarkdown)
    let lines = [header, header.map { _ in "---" }] + rows.map(cells)
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }
  }

  private func section(_ part: Part) -> [String] {
    let notes = part.rows.flatMap { row in
      zip(subjects, row.cells).flatMap { note($0, row.feature, $1) } + denominators(row)
    }
    return ["", "## Dialect `\(part.dialect)`", ""] + table(part.rows)
      + (notes.isEmpty ? [] : ["", "### Parity notes", ""] + notes)
  }

  private func cells(_ row: Row) -> [String] {
    ["\(row.feature.number)", row.feature.name.escapedForMarkdown] + row.cells.map(\.figure)
  }

  private func note(_ subject: String, _ feature: ProtocolDefinition.Feature, _ cell: Cell) -> [String] {
    if cell.status == .done || cell.status == .none { return [] }
    let head = "- **\(subject.escapedForMarkdown) — \(feature.name.escapedForMarkdown)**:"
    if let reason = cell.skipped {
      return ["\(head) every mandatory requirement was skipped: \(reason.escapedForMarkdown)"]
    }
    let absent = cell.unjudged.filter { !$0.wasRun }
    if cell.wasNotRun { return ["\(head) not run, \("mandatory requirement".counted(cell.required))"] }
    let count =
      "\(cell.status.rawValue.lowercased()), \(cell.held) of \("mandatory requirement".counted(cell.required)) held"
    func lines(_ flaws: [Flaw], _ word: String) -> [String] {
      flaws.map { flaw in
        let cases = "\("case".counted(flaw.instances.count))"
        return "  - \(flaw.requirement) \(word) in \(cases), such as `\(flaw.instances[0].name)`: "
          + flaw.text.escapedForMarkdown
      }
    }
    let names = absent.map(\.requirement.rawValue).joined(separator: ", ")
    let lacking = Dictionary(grouping: cell.violated.filter { $0.capability != nil }) { $0.capability ?? "" }
    let undeclared = lacking.sorted { $0.key < $1.key }.map { capability, flaws in
      "  - \(capability.escapedForMarkdown) is not declared: \(flaws.map(\.requirement).list)"
    }
    return [head + " " + count] + undeclared + lines(cell.violated.filter { $0.capability == nil }, "is violated")
      + lines(cell.unjudged.filter(\.wasRun), "was not judged") + (absent.isEmpty ? [] : ["  - not run: \(names)"])
  }

  /// The lines that explain why different numbers of mandatory requirements bind the subjects of a row. Empty if the
  /// numbers are equal.
  private func denominators(_ row: Row) -> [String] {
    let asked = zip(subjects, row.cells).filter { $0.1.required > 0 }
    guard Set(asked.map(\.1.required)).count > 1 else { return [] }
    let head = "- **\(row.feature.name.escapedForMarkdown)** does not ask every subject for the same requirements:"
    return [head] + asked.flatMap { exemptions(of: $0, $1) }
  }

  private func exemptions(of subject: String, _ cell: Cell) -> [String] {
    let byReason = Dictionary(grouping: cell.exempt, by: \.reason).sorted { $0.key < $1.key }
    return byReason.map { reason, exempt in
      let requirements: String = exempt.map(\.requirement).list
      return "  - \(subject.escapedForMarkdown) is not asked for \(requirements): \(reason.escapedForMarkdown)"
    }
  }

  /// CSV with a header and one line for each cell. A field with several requirements separates them by spaces.
  package var csv: String {
    let header = ["dialect", "number", "feature", "subject", "status", "held", "required", "violated", "unjudged"]
    let lines = parts.flatMap { part in
      part.rows.flatMap { row in
        zip(subjects, row.cells).map { subject, cell in
          [part.dialect.rawValue, "\(row.feature.number)", row.feature.name, subject] + cell.fields
        }
      }
    }
    return ([header] + lines).map { $0.map(\.escapedForCSV).joined(separator: ",") + "\r\n" }.joined()
  }

  /// The matrix as a JSON object: `{"matrix": 1, "protocol", "revision", "role", "gate", "subjects": […], "adapters":
  /// […], "overall": […], "dialects": [{"dialect", "features": […]}]}`.
  package var json: JSON {
    [
      "matrix": 1, "protocol": .string(protocolName), "revision": .string(revision), "role": .string(role.rawValue),
      "gate": .string(gate.rawValue), "subjects": .array(subjects.map(JSON.string)),
      "adapters": .strings(adapters),
      "overall": .array(overall.map(json)),
      "dialects": .array(
        parts.map { part in
          ["dialect": .string(part.dialect.rawValue), "features": .array(part.rows.map(json))]
        }),
    ]
  }

  private func json(_ row: Row) -> JSON {
    let cells = zip(subjects, row.cells).map { subject, cell -> JSON in
      [
        "subject": .string(subject), "status": .string(cell.status.rawValue), "held": .int(cell.held),
        "required": .int(cell.required), "violated": .array(cell.violated.map(\.json)),
        "unjudged": .array(cell.unjudged.map(\.json)),
      ]
    }
    return ["number": .int(row.feature.number), "name": .string(row.feature.name), "cells": .array(cells)]
  }
}

extension ParityMatrix.Cell {
  /// The status, with the number of mandatory requirements that the subject keeps out of those that bind it, such as
  /// `Partial 3/5`. If no case of the cell was run, the text is `not run`.
  package var figure: String {
    if wasNotRun { return "not run" }
    return status == .none ? status.rawValue : "\(status.rawValue) \(held)/\(required)"
  }

  /// Whether mandatory requirements bind the subject, but none of them has a verdict.
  fileprivate var wasNotRun: Bool { required > 0 && absent == required }
}

extension ParityMatrix.Flaw {
  fileprivate var json: JSON {
    [
      "requirement": .string(requirement.rawValue), "text": .string(text),
      "cases": .array(instances.map { .string($0.name) }),
    ]
  }
}

extension ParityMatrix.Cell {
  fileprivate var fields: [String] {
    let violatedIDs: String = violated.map(\.requirement.rawValue).joined(separator: " ")
    let unjudgedIDs: String = unjudged.map(\.requirement.rawValue).joined(separator: " ")
    return [status.rawValue, String(held), String(required), violatedIDs, unjudgedIDs]
  }
}
