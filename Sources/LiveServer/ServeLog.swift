import ConformanceTranscript
import JSONKit
import TextKit

/// The lines of a live server's log: one for each request, and one for each problem of the request.
package struct ServeLog: Sendable {
  private let paint: Paint
  private let showsBodies: Bool

  package init(_ paint: Paint, showsBodies: Bool) {
    self.paint = paint
    self.showsBodies = showsBodies
  }

  /// The line about the request, such as `09:00:00.120 201 3 ms POST /api/sdk/v1/install install`, and the lines about
  /// its problems. Control characters in the app's data are made visible.
  package func lines(of entry: LiveEntry) -> String {
    let time = String(entry.at.text.dropFirst(11).prefix(12))
    let status = entry.response.map { "\($0.status)" } ?? "none"
    let span = entry.duration.map { "\(Int(($0 / .milliseconds(1)).rounded())) ms" } ?? ""
    let isGood = entry.response.map { $0.status < 400 } ?? false
    let request = entry.request.map { "\($0.method) \($0.target)".visibleOnOneLine } ?? ""
    let parts = [
      paint(.faint, time), paint(isGood ? .good : .bad, status.padded(to: 4)), span.aligned(to: 8), request,
      entry.exchange.map { paint(.faint, $0) }, entry.fault.map { paint(.mild, "fault: \($0)") },
    ]
    let head = parts.compactMap(\.self).joined(separator: "  ")
    let others = problems(of: entry) + (showsBodies ? bodies(of: entry) : [])
    return ([head] + others.map { Self.margin + $0 }).map { $0 + "\n" }.joined()
  }

  private static let margin = String(repeating: " ", count: 14)

  /// The largest number of violations that the log shows for one request.
  private static let shownViolations = 8

  private func problems(of entry: LiveEntry) -> [String] {
    let general = [entry.problem?.description, entry.request?.nearMiss].compactMap(\.self)
    let isBodyRead = if case .body = entry.problem { false } else { true }
    let violations = entry.violations.flatMap { violation in
      violation.findings.filter { isBodyRead || $0.path.steps.first != .key("body") }
        .map { "\(violation.requirement)  \($0.difference)" }
    }
    let more = violations.count - Self.shownViolations
    let rest = more > 0 ? ["… and \(more) more: the page shows them all"] : []
    return (general + violations.prefix(Self.shownViolations) + rest).map { paint(.bad, "✗ ") + $0.visibleOnOneLine }
  }

  private func bodies(of entry: LiveEntry) -> [String] {
    [("→", entry.request?.body.text), ("←", entry.response?.body.text)].compactMap { mark, text in
      text.flatMap { $0.isEmpty ? nil : "\(mark) \($0.visibleOnOneLine)" }
    }
  }
}
