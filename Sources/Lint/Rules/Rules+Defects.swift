import ConformanceModel
import ConformanceSpec
import JSONKit

extension Linter {
  /// Rules about defects: each violates a requirement, and a case must notice it.
  static let defectRules = [
    LintRule("defect-requirement", "A defect breaks a requirement of its side that cases can judge.") { subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return subject.sources.defects.flatMap { located in
        let follows = located.value.follows.keys.sorted().map { ($0, "follows") }
        return (located.value.breaks.map { ($0, "breaks") } + follows).compactMap { id, key in
          broken(id, key, located, subject, known: ids)
        }
      }
    },
    LintRule("idle-requirement", "The requirements that a no-op implementation meets exist.") { subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return subject.sources.idlePasses.flatMap { located in
        located.value.keeps.filter { subject.catalogue.requirement($0) == nil }.compactMap {
          located.unknown($0.rawValue, at: "keeps", "the id of a requirement", known: ids)
        }
      }
    },
    LintRule("defect-bend", "The mutation of a defect applies to a known exchange or command of its side, in one way.")
    {
      subject in
      subject.sources.defects.compactMap { bent($0, subject) }
    },
    LintRule("defect-noticed", "A defect names a case and row that claim a requirement which it breaks.") { subject in
      subject.sources.defects.compactMap { noticing($0, subject) }
    },
  ]

  private static func broken(
    _ id: RequirementID, _ key: String, _ located: Located<Defect>, _ subject: LintSubject, known: [String]
  ) -> LintFinding? {
    guard let requirement = subject.catalogue.requirement(id) else {
      return located.unknown(id.rawValue, at: key, "the id of a requirement", known: known)
    }
    guard requirement.role != located.value.side else { return nil }
    return located.finding(
      at: key, expected: "a requirement of the role \(located.value.side)",
      found: "\(id), which binds the role \(requirement.role)")
  }

  private static func bent(_ located: Located<Defect>, _ subject: LintSubject) -> LintFinding? {
    guard let bend = located.value.bend else { return nil }
    let path = located.path.appending(key: "bend")
    let ports = subject.definition.ports(of: located.value.side)
    let (fits, port) =
      switch bend.subject {
      case .request: (!ports.upstream.isEmpty, "calls services")
      case .answer: (!ports.downstream.isEmpty, "offers services")
      case .reply, .callback: (ports.hasDriver, "has a driver")
      }
    guard fits else {
      return LintFinding(
        in: located.document, at: path.appending(key: bend.subject.rawValue), expected: "a side that \(port)",
        found: "\(located.value.side)")
    }
    if case .rewrite(let pattern, _) = bend.change, !SharedRegex.isValid(pattern) {
      return LintFinding(
        in: located.document, at: path.appending(key: "rewrite").appending(key: "find"),
        expected: "a regular expression", found: "'\(pattern)'")
    }
    guard let name = bend.name else { return nil }
    let isMessage = bend.subject == .request || bend.subject == .answer
    return LintFinding(
      in: located.document, at: path.appending(key: bend.subject.rawValue), unknown: name,
      isMessage ? "an exchange" : "a command",
      known: isMessage
        ? subject.exchangeNames : subject.definition.commands(of: located.value.side).map(\.name))
  }

  private static func noticing(_ located: Located<Defect>, _ subject: LintSubject) -> LintFinding? {
    let defect = located.value
    guard let caseName = defect.caseName else { return nil }
    let name = caseName.prefix { $0 != "[" }
    let row = name.count < caseName.count ? String(caseName.dropFirst(name.count + 1).dropLast()) : nil
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
    let claims = scenario.claims.filter { defect.breaks.contains($0.requirement) }
    let isMade = claims.contains { claim in
      defect.dialect.map { claim.dialects?.contains($0) ?? true } ?? true
    }
    guard !isMade else { return nil }
    return located.finding(
      at: "noticed", expected: "a case that makes a claim about \(defect.breaks.list)",
      found: "\(caseName), which makes none")
  }
}
