import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

/// The named checks that every protocol has in addition to the checks of its pack.
package enum CommonChecks {
  package static let all: [String: Check] = [
    "tls-attempted": tlsAttempted, "quiet": quiet, "output-contains": outputContains, "output-lacks": outputLacks,
    "same-instant": sameInstant, "refused-or-called-back": refusedOrCalledBack, "text-only-at": textOnlyAt,
    "text-nowhere": textNowhere,
  ].merging(ofRequests) { _, own in own }

  static let tlsAttempted = Check(
    text: "A TLS handshake arrived at the service `at`, as from a client that treats the URL as https.",
    [.init("at", .service)]
  ) { evidence, with in
    guard let service = with["at"]?.string else { throw Check.Misuse(wanted: "at") }
    let attempts = evidence.transcript.entries.filter { entry in
      guard case .malformed(service, _, _, let octets) = entry.event else { return false }
      // A record of type handshake, of any version 3.x (RFC 8446 §5.1).
      return octets.bytes.starts(with: [0x16, 0x03])
    }
    guard attempts.isEmpty else { return [] }
    return [Finding(subject: "connections to '\(service)'", expected: "a TLS handshake", observed: "none")]
  }

  static let quiet = Check(
    text: "The subject wrote nothing to stderr after the step `after`.", [.optional("after", .label)]
  ) { evidence, with in
    output(in: evidence, with).prefix(1).map { entry, text in
      Finding(subject: "stderr", expected: "nothing", observed: quoted(text), entries: [entry])
    }
  }

  static let outputContains = Check(
    text: "The subject wrote something to stderr after the step `after`; with `text`, this text.",
    [.optional("text", .text), .optional("after", .label)]
  ) { evidence, with in
    let wanted = with["text"]?.string
    let lines = output(in: evidence, with)
    guard !lines.contains(where: { wanted == nil || $0.text.contains(wanted ?? "") }) else { return [] }
    let observed = lines.first.map { quoted($0.text) } ?? "nothing"
    return [
      Finding(
        subject: "stderr", expected: wanted.map { "'\($0)'" } ?? "some output", observed: observed,
        entries: lines.map(\.entry))
    ]
  }

  static let outputLacks = Check(text: "The subject never wrote `text` to stderr.", [.init("text", .text)]) {
    evidence, with in
    guard let text = with["text"]?.string else { throw Check.Misuse(wanted: "text") }
    return output(in: evidence, [:]).filter { $0.text.contains(text) }.map { entry, _ in
      Finding(subject: "stderr", expected: "no '\(text)'", observed: "it is there", entries: [entry])
    }
  }

  static let sameInstant = Check(
    text:
      "The timestamps at `at` of all requests of the exchange `request`, two or more, are at most `within` ms apart.",
    [.init("request", .exchange), .init("at", .path), .init("within", .integer)]
  ) { evidence, with in
    guard let exchange = with["request"]?.string, let path = with["at"]?.string.flatMap(JSONPath.init),
      let limit = with["within"]?.int
    else { throw Check.Misuse(wanted: "request, at and within") }
    let requests = evidence.observations(Selector(.request(exchange: exchange)))
    guard requests.count >= 2 else {
      return [
        Finding(
          subject: "\(exchange) requests", expected: "at least 2", observed: "\(requests.count)",
          entries: requests.map(\.entry))
      ]
    }
    let instants = requests.map { ($0, $0.view[path]?.string.flatMap { Timestamp(iso8601: $0) }?.milliseconds) }
    guard let first = instants[0].1 else { return [noInstant(exchange, path, requests[0])] }
    return instants.dropFirst().compactMap { request, instant in
      guard let instant else { return noInstant(exchange, path, request) }
      guard abs(instant - first) > limit else { return nil }
      return Finding(
        subject: "\(exchange) request", path: path, expected: "within \(limit) ms of the first",
        observed: "\(instant - first) ms from it", entries: [requests[0].entry, request.entry])
    }
  }

  static let refusedOrCalledBack = Check(
    text: "The step `call` failed, or the callback `callback` was called with `value`.",
    [.init("call", .outcome), .init("callback", .handle), .init("value", .template)]
  ) { evidence, with in
    guard let label = with["call"]?.string, let handle = with["callback"]?.string, let value = with["value"],
      let template = try? Template(value)
    else { throw Check.Misuse(wanted: "call, callback and value") }
    if let error = evidence.outcomes[label]?.view[Template.errorKey], error["kind"] != Template.noReply { return [] }
    let calls = evidence.observations(Selector(.callback(handle: handle)))
    let isDelivered = calls.contains {
      template.fits($0.view, bindings: evidence.bindings, models: evidence.models)
    }
    guard !isDelivered else { return [] }
    return [
      Finding(
        subject: "step '\(label)'", expected: "an error, or callback '\(handle)' with \(value.excerpt)",
        observed: "neither", entries: (evidence.outcomes[label]?.entries ?? []) + calls.map(\.entry))
    ]
  }

  static let textOnlyAt = Check(
    text: "`text` occurs in requests only at the `places`, each an exchange `request` and a path `at`.",
    [
      .init("text", .text),
      .init("places", .list(.object([.init("request", .exchange), .init("at", .path)]))),
    ]
  ) { evidence, with in
    guard let text = with["text"]?.string, let places = with["places"]?.array else {
      throw Check.Misuse(wanted: "text and places")
    }
    return evidence.transcript.entries.compactMap { entry in
      guard case .request(_, let record) = entry.event else { return nil }
      let allowed = places.filter { $0["request"]?.string == record.exchange }
        .compactMap { $0["at"]?.string.flatMap(JSONPath.init) }
      var view = record.view.setting(nil, at: JSONPath([.key("text")]))
      if record.body.toleratedJSON == nil { view = record.view }
      for path in allowed { view = view.setting(nil, at: path) }
      guard view.compactText.contains(text) else { return nil }
      return Finding(
        subject: "\(record.exchange ?? "unknown") request", expected: "'\(text)' nowhere but at the places named",
        observed: "it is elsewhere in the request", entries: [entry.number])
    }
  }

  static let textNowhere = Check(
    text:
      "`text` occurs in none of the places `in`: requests (to mocks), responses (of the subject to the kit), output (stderr), callbacks, replies.",
    [
      .init("text", .text),
      .init("in", .list(.word(["requests", "responses", "output", "callbacks", "replies"]))),
    ]
  ) { evidence, with in
    guard let text = with["text"]?.string, !text.isEmpty, let places = with["in"]?.array?.compactMap(\.string) else {
      throw Check.Misuse(wanted: "text and in")
    }
    return evidence.transcript.entries.compactMap { entry in
      guard let (place, found) = spoken(entry.event), places.contains(place), found.contains(text) else { return nil }
      return Finding(subject: place, expected: "no '\(text)'", observed: "it is there", entries: [entry.number])
    }
  }

  /// The text that the subject sent in an entry, and the word for the place, such as `requests` or `output`.
  private static func spoken(_ event: TranscriptEntry.Event) -> (place: String, text: String)? {
    switch event {
    case .request(_, let record): ("requests", record.view.compactText)
    case .received(_, let record): ("responses", record.view.compactText)
    case .output(let octets): ("output", octets.text)
    case .callback(_, let value): ("callbacks", value.compactText)
    case .reply(let reply): ("replies", reply.outcome.view.compactText)
    default: nil
    }
  }

  private static func output(in evidence: Evidence, _ with: JSON) -> [(entry: Int, text: String)] {
    (evidence.entries(after: with["after"]?.string) ?? []).compactMap { entry in
      guard case .output(let octets) = entry.event, !octets.bytes.isEmpty else { return nil }
      return (entry.number, octets.text)
    }
  }

  private static func quoted(_ text: String) -> String { JSON.string(String(text.prefix(120))).compactText }

  private static func noInstant(_ exchange: String, _ path: JSONPath, _ request: Evidence.Observation) -> Finding {
    Finding(
      subject: "\(exchange) request", path: path, expected: "an ISO 8601 timestamp",
      observed: request.view[path]?.excerpt ?? "nothing", entries: [request.entry])
  }
}

extension ProtocolPack {
  /// The checks that cases of the protocol may name: the common checks, and the checks of the protocol's pack. If two
  /// have the same name, the check of the pack counts.
  package var allChecks: [String: Check] { CommonChecks.all.merging(checks) { _, own in own } }
}
