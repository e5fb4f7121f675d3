import ConformanceModel
import JSONKit

extension Linter {
  /// Defects: each breaks a rule, and a case is there that must notice.
  static let defectRules = [
    LintRule("defect-requirement", "A defect breaks a requirement of its side that cases can judge.") { subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return subject.sources.defects.compactMap { located in
        let defect = located.value
        guard let requirement = subject.catalogue.requirement(defect.requirement) else {
          return located.unknown(defect.requirement.rawValue, at: "breaks", "the id of a requirement", known: ids)
        }
        guard requirement.role != defect.side else { return nil }
        return located.finding(
          at: "breaks", expected: "a requirement of the role \(defect.side)",
          found: "\(requirement.id), which binds the role \(requirement.role)")
      }
    },
    LintRule("defect-noticed", "A defect names a case and row with a claim about what it breaks.") { subject in
      subject.sources.defects.compactMap { noticing($0, subject) }
    },
  ]

  private static func noticing(_ located: Located<Defect>, _ subject: LintSubject) -> LintFinding? {
    let defect = located.value
    let name = defect.caseName.prefix { $0 != "[" }
    let row = name.count < defect.caseName.count ? String(defect.caseName.dropFirst(name.count + 1).dropLast()) : nil
    guard let found = subject.sources.cases.first(where: { $0.value.id.rawValue == name })?.value else {
      let names = subject.sources.cases.map(\.value.id.rawValue)
      return located.unknown(String(name), at: "noticed", "the name of a case", known: names)
    }
    guard let scenario = found.scenario(row) else {
      let rows = found.scenarios.compactMap(\.row)
      let expected = rows.isEmpty ? "no row, since \(found.id) has no table" : "one of the rows of \(found.id)"
      let list = rows.isEmpty || rows.count > 12 ? "" : ": " + rows.joined(separator: ", ")
      return located.finding(
        at: "noticed", expected: expected + list, found: row.map { "'\($0)'" } ?? "none",
        hint: row.flatMap { Nearest.suggestion(for: $0, in: rows) })
    }
    if let dialect = defect.dialect, !found.dialects.contains(dialect) {
      return located.finding(
        at: "dialect", expected: "a dialect in which \(found.id) runs", found: "'\(dialect)'")
    }
    let claims = scenario.claims.filter { $0.requirement == defect.requirement }
    let isMade = claims.contains { claim in
      defect.dialect.map { claim.dialects?.contains($0) ?? true } ?? true
    }
    guard !isMade else { return nil }
    return located.finding(
      at: "noticed", expected: "a case that makes a claim about \(defect.requirement)",
      found: "\(defect.caseName), which makes none")
  }
}
