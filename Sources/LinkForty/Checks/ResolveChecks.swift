import ConformanceModel
import ConformancePack
import ConformanceVerdict
import HTTPValues
import JSONKit

extension LinkFortyChecks {
  static let fingerprintAsReported = Check(
    text: """
      The query parameter `query` of each request of the exchange `request` (resolve) says what the member `body` of the \
      first install report says: the same whole number, or the same text in any case of letters.
      """,
    [.init("query", .text), .init("body", .text)] + window
  ) { evidence, with in
    guard let parameter = with["query"]?.string, let member = with["body"]?.string else {
      throw Check.Misuse(wanted: "names under 'query' and 'body'")
    }
    let questions = requests(evidence, with, default: "resolve")
    let report = evidence.observations(Selector(.request(exchange: "install"))).first
    guard let report, !questions.isEmpty else { return nothing("install and resolve requests") }
    let reported = report.view["body"]?[member]
    let expected = reported.map { $0.string ?? $0.compactText }
    return questions.compactMap { question in
      let found = question.view["query"]?[parameter]?.string
      if let found, let reported, says(found, reported) { return nil }
      return Finding(
        subject: "request", path: JSONPath([.key("query"), .key(parameter)]),
        expected: expected.map { "'\($0)', as in the install report" } ?? "'\(member)' in the install report",
        observed: found.map { "'\($0)'" } ?? "nothing", entries: [report.entry, question.entry])
    }
  }

  /// Whether the text in a query and a JSON value mean the same: the text `800` equals the number `800.0`.
  private static func says(_ text: String, _ value: JSON) -> Bool {
    if case .number(let number) = value, let whole = Int(text) { return Double(whole) == number.double }
    return text.lowercased() == (value.string ?? value.compactText).lowercased()
  }

  static let resolvedCodeDelivered = Check(
    text: """
      The last segment of each resolve request is the short code that `callback` was called with; so it is when the \
      server was not asked. `after` and `before` bound both.
      """,
    [.init("callback", .handle), .optional("after", .label), .optional("before", .label)]
  ) { evidence, with in
    guard let handle = with["callback"]?.string else {
      throw Check.Misuse(wanted: "a handle under 'callback'")
    }
    let (after, before) = (with["after"]?.string, with["before"]?.string)
    let calls = evidence.observations(Selector(.callback(handle: handle), after: after, before: before))
    guard let call = calls.first else { return nothing("calls of '\(handle)'") }
    let code = call.view["data"]?["shortCode"]?.string
    let questions = evidence.observations(Selector(.request(exchange: "any"), after: after, before: before))
    return questions.compactMap { question in
      let path = question.view["path"]?.string ?? ""
      guard path.contains("/resolve/"), let last = path.split(separator: "/").last else { return nil }
      let asked = PercentEncoding.decode(last) ?? String(last)
      guard asked != code else { return nil }
      return Finding(
        subject: "callback '\(handle)'", path: JSONPath([.key("data"), .key("shortCode")]), expected: "'\(asked)'",
        observed: code.map { "'\($0)'" } ?? "nothing", entries: [question.entry, call.entry])
    }
  }
}
