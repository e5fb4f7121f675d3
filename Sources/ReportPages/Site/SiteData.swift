import ConformanceModel
import ConformanceVerdict
import JSONKit
import Records

/// A site as JSON, for programs; `spec/schema/site.schema.json` defines the files.
struct SiteData {
  private let site: Site

  init(_ site: Site) { self.site = site }

  var index: JSON {
    let definition = site.catalogue.definition
    return [
      "site": 1, "protocol": .string(definition.name), "revision": .string(definition.revision),
      "gate": .string(site.gate.rawValue), "subjects": .array(site.subjects.indices.map(summary)),
      "requirements": .array(site.requirements.map { .string($0.id.rawValue) }),
      "matrices": .array(site.matrices.map(\.json)),
    ]
  }

  func subject(_ index: Int) -> JSON {
    let subject = site.subjects[index]
    let runs = subject.runs.map { run -> JSON in
      [
        "version": .string(SiteSubject.version(of: run, subject.role)), "startedAt": .string(run.header.startedAt),
        "kit": .string(run.header.kit), "packDigest": .string(run.header.packDigest),
        "verdict": .string(run.conclusion.word.rawValue), "counts": counts(run.tally),
      ]
    }
    let results = site.results[index].map { result -> JSON in
      .object(
        compact: [
          ("requirement", .string(result.requirement.rawValue)), ("worst", .string(result.worst.disposition.rawValue)),
          ("counts", counts(result.tally)), ("reason", result.worst.headline.map(JSON.string)),
        ])
    }
    return .object(
      compact: [
        ("site", 1), ("subject", summary(index)), ("runs", .array(runs)), ("changes", changes(of: subject)?.json),
        ("requirements", .array(results)),
      ])
  }

  func requirement(_ requirement: Requirement) -> JSON {
    let subjects = site.subjects.indices.compactMap { index -> JSON? in
      guard let result = site.results[index].first(where: { $0.requirement == requirement.id }) else { return nil }
      return .object(
        compact: [
          ("name", .string(site.subjects[index].name)), ("slug", .string(site.subjects[index].slug)),
          ("version", .string(site.subjects[index].version)), ("worst", .string(result.worst.disposition.rawValue)),
          ("counts", counts(result.tally)), ("reason", result.worst.headline.map(JSON.string)),
        ])
    }
    return .object(
      compact: [
        ("site", 1), ("id", .string(requirement.id.rawValue)), ("role", .string(requirement.role.rawValue)),
        ("feature", requirement.feature.map(JSON.int)), ("level", .string(requirement.level.rawValue)),
        ("basis", .string(requirement.basis.rawValue)), ("text", .string(requirement.text)),
        (
          "source",
          [
            "document": .string(requirement.source.document), "section": .string(requirement.source.section),
            "revision": .string(requirement.source.revision),
          ]
        ),
        ("positions", .strings(requirement.positions.map(\.rawValue))),
        ("cases", .strings((site.cases[requirement.id] ?? []).map { "\($0.id)" })), ("subjects", .array(subjects)),
      ])
  }

  /// The differences between the subject's last two runs; nil if it has only one run.
  private func changes(of subject: SiteSubject) -> RecordDiff? {
    let last = subject.runs.suffix(2)
    return last.count == 2 ? RecordDiff(from: last[last.startIndex], to: last[last.endIndex - 1]) : nil
  }

  private func summary(_ index: Int) -> JSON {
    let subject = site.subjects[index]
    let figures = site.figures(of: index)
    let run = subject.newest
    return [
      "role": .string(subject.role.rawValue), "name": .string(subject.name), "slug": .string(subject.slug),
      "version": .string(subject.version), "verdict": .string(run.conclusion.word.rawValue),
      "held": .int(figures.held), "required": .int(figures.required), "startedAt": .string(run.header.startedAt),
    ]
  }

  private func counts(_ tally: Tally) -> JSON {
    .object(compact: Disposition.allCases.map { ($0.rawValue, tally[$0] > 0 ? .int(tally[$0]) : nil) })
  }
}
