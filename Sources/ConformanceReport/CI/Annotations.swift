import ConformanceVerdict
import Records

/// The causes of failure in a record as annotations of a CI engine. There is one annotation for each cause, the worst
/// cause first, and at most ``limit`` annotations.
///
/// Sources: GitHub "Workflow commands", Azure "Logging commands".
package struct Annotations: Sendable {
  /// The CI engine that reads the annotations.
  package enum Engine: String, CaseIterable, Sendable { case github, azure }

  /// The largest number of annotations. GitHub shows ten errors of a step and ignores the rest.
  package static let limit = 10
  /// The largest number of characters in a text from a record.
  private static let textLimit = 600

  private let causes: [FailureCause]

  /// Orders the causes: failures come before causes of unjudged verdicts. Among the causes of unjudged verdicts, the
  /// cause with the most verdicts comes first.
  package init(_ record: RunRecord) {
    let all = FailureCause.all(of: record.distinctRulings)
    let failures = all.filter { $0.rulings.first?.disposition == .fail }
    let open = all.filter { $0.rulings.first?.disposition != .fail }
    causes = failures + open.sorted { ($1.rulings.count, $0.lead) < ($0.rulings.count, $1.lead) }
  }

  /// The lines for the engine, one for each cause; empty if nothing failed and everything was judged.
  package func lines(for engine: Engine) -> [String] {
    causes.prefix(Self.limit).compactMap { cause in
      guard let first = cause.rulings.first else { return nil }
      let title = "\(cause.lead) \(first.rule.level.rawValue)".visibleOnOneLine
      return engine.line(
        isError: first.disposition == .fail, title: title,
        message: [
          Self.shown(first.headline ?? ""), Self.shown(first.rule.text), "rerun: \(first.rerun.visibleOnOneLine)",
        ])
    }
  }

  private static func shown(_ text: String) -> String { text.visibleOnOneLine.cut(at: textLimit) }
}

extension Annotations.Engine {
  /// The command with which a CI job shows the lines of `message` as one message. The text is escaped, so that it
  /// cannot end the command or begin another command.
  fileprivate func line(isError: Bool, title: String, message: [String]) -> String {
    let kind = isError ? "error" : "warning"
    switch self {
    case .github:
      let text = message.map { $0.replacing("%", with: "%25") }.joined(separator: "%0A")
      let title = Self.escaped(title, [("%", "%25"), (":", "%3A"), (",", "%2C")])
      return "::\(kind) title=\(title)::\(text)"
    case .azure:
      let text = message.map { $0.replacing("%", with: "%AZP25") }.joined(separator: "%0A")
      let title = Self.escaped(title, [("%", "%AZP25"), (";", "%3B"), ("]", "%5D")])
      return "##vso[task.logissue type=\(kind);code=\(title)]\(text)"
    }
  }

  /// The text in which the first string of each pair is replaced by the second. The first pair must replace the
  /// character with which all escapes begin.
  private static func escaped(_ text: String, _ pairs: [(String, String)]) -> String {
    pairs.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
