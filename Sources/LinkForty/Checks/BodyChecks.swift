import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit

extension LinkFortyChecks {
  static let ianaTimezone = Check(
    text: """
      Every request has an IANA time zone identifier, such as Europe/Berlin or UTC, at a path. `request` is the \
      exchange (install), `at` the path ($.body.timezone). Abbreviations and offsets are none.
      """,
    [
      .optional("at", .path), .optional("request", .exchange), .optional("after", .label),
      .optional("before", .label),
    ]
  ) { evidence, with in
    guard let path = JSONPath(with["at"]?.string ?? "$.body.timezone") else {
      throw Check.Misuse(wanted: "a path under 'at'")
    }
    // Here `at` is a path, and not a service.
    let requests = requests(evidence, with.setting(nil, at: JSONPath([.key("at")])), default: "install")
    if requests.isEmpty { return nothing("requests with a time zone") }
    return requests.compactMap { request in
      let value = request.view[path]
      guard value?.string.map(isTimezone) != true else { return nil }
      return Finding(
        subject: "time zone", path: path, expected: "an IANA time zone identifier",
        observed: value?.excerpt ?? "nothing", entries: [request.entry])
    }
  }

  /// The areas in the names of the IANA time zone database: `Europe` in `Europe/Berlin`.
  private static let zoneAreas: Set<String> = [
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile", "Etc",
    "Europe", "Indian", "Mexico", "Pacific", "US",
  ]

  private static func isTimezone(_ text: String) -> Bool {
    if text == "UTC" || text == "GMT" { return true }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), zoneAreas.contains(String(parts[0])) else { return false }
    return parts.dropFirst().allSatisfy { part in
      part.first?.isLetter == true
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-+".contains($0)) }
    }
  }

  static let noNullMembers = Check(
    text: """
      No request body has a null anywhere: what is unknown is left out. `request` is the exchange (install); members \
      below a path in `except` may be null.
      """,
    [.optional("except", .list(.path))] + window
  ) { evidence, with in
    let spared = (with["except"]?.array ?? []).compactMap { $0.string.flatMap { JSONPath($0) } }
    let requests = requests(evidence, with, default: "install").filter { $0.view["body"] != nil }
    if requests.isEmpty { return nothing("requests with a body") }
    return requests.flatMap { request in
      nulls(in: request.view["body"] ?? .null, at: JSONPath([.key("body")]))
        .filter { path in !spared.contains { path.steps.starts(with: $0.steps) } }
        .map {
          Finding(
            subject: "request body", path: $0, expected: "a value, or no member", observed: "null",
            entries: [request.entry])
        }
    }
  }

  private static func nulls(in value: JSON, at path: JSONPath) -> [JSONPath] {
    switch value {
    case .null: [path]
    case .array(let elements):
      elements.enumerated().flatMap { nulls(in: $0.element, at: path.appending(index: $0.offset)) }
    case .object(let object): object.members.flatMap { nulls(in: $0.value, at: path.appending(key: $0.key)) }
    default: []
    }
  }

  static let secretNotLeaked = Check(
    text: """
      A text is in no request's target, body or header but Authorization, raw or percent-encoded. `text` is the \
      literal; what evidence shows in the place of a redacted secret counts too. `request` is the exchange (any).
      """,
    [.init("text", .text)] + window
  ) { evidence, with in
    guard let text = with["text"]?.string, !text.isEmpty else {
      throw Check.Misuse(wanted: "a literal under 'text'")
    }
    let requests = requests(evidence, with, default: "any")
    if requests.isEmpty { return nothing("requests") }
    return requests.flatMap { request in
      places(of: request).filter { _, content in
        [text, PercentEncoding.encode(text), redacted].contains { content.contains($0) }
      }.map { place, content in
        Finding(
          subject: "request", path: place, expected: "not the secret", observed: JSON.string(content).excerpt,
          entries: [request.entry])
      }
    }
  }

  /// The places in a request that are searched for a secret: the path and the text of each place.
  private static func places(of request: Evidence.Observation) -> [(JSONPath, String)] {
    let headers = request.view["headers"]?.object?.members.filter { $0.key != "authorization" } ?? []
    return [
      (JSONPath([.key("target")]), request.view["target"]?.string ?? ""),
      (JSONPath([.key("text")]), request.view["text"]?.string ?? ""),
    ] + headers.map { (JSONPath([.key("headers"), .key($0.key)]), $0.value.string ?? "") }
  }
}
