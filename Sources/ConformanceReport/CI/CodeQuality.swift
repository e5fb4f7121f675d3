import ConformanceModel
import ConformanceVerdict
import Digests
import JSONKit
import Records

/// The causes of failure in a record as a Code Quality report of GitLab: one issue for each cause. If the same cause
/// occurs in several runs, its issues have the same fingerprint.
///
/// Source: GitLab "Code Quality report format". GitLab compares the fingerprints of two branches and shows the
/// difference in the merge request.
package struct CodeQuality: Sendable {
  /// The largest number of characters in a description.
  private static let textLimit = 600

  private let record: RunRecord
  /// The path of the record. An issue without evidence refers to this path.
  private let file: String
  private let project: ProjectFolder

  /// - Parameter project: the folder to which all paths in the report are relative.
  package init(_ record: RunRecord, file: String, project: ProjectFolder) {
    self.record = record
    self.file = file
    self.project = project
  }

  /// The issues; empty if nothing failed and everything was judged.
  package var issues: JSON {
    let evidence = Dictionary(record.cases.map { ($0.instance, $0.evidence) }) { first, _ in first }
    return .array(
      FailureCause.all(of: record.distinctRulings).compactMap { cause in
        guard let first = cause.rulings.first else { return nil }
        let place = evidence[first.verdict.instance].flatMap(\.self).flatMap(project.path(of:)) ?? recordPath
        let text = "\(cause.lead) \(first.rule.text) \(first.headline ?? "")"
        return [
          "description": .string(text.visibleOnOneLine.cut(at: Self.textLimit)),
          "check_name": .string(cause.lead.rawValue.visibleOnOneLine),
          "fingerprint": .string(Self.fingerprint(cause.lead, first)),
          "severity": first.disposition == .fail ? "major" : "info",
          "location": ["path": .string(place.visibleOnOneLine), "lines": ["begin": 1]],
        ]
      })
  }

  /// The path of the record relative to the project. It is only the file name if the record is outside of the project.
  private var recordPath: String {
    project.path(of: file) ?? String(file.split(separator: "/").last ?? "run.jsonl")
  }

  private static func fingerprint(_ lead: RequirementID, _ ruling: RunRecord.Ruling) -> String {
    let identity = "\(lead) \(ruling.verdict.instance) \(ruling.disposition.rawValue)"
    return String(decoding: SHA256.hash(Array(identity.utf8)).hexadecimal, as: UTF8.self)
  }
}
