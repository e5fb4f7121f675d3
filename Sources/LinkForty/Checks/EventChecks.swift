import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Templates

extension LinkFortyChecks {
  static let sameEvents = Check(
    text: """
      The events that the server accepted are exactly those that the app tracked: each as often, none lost, none twice. \
      Revenue counts as an event named `revenue` (or as `revenueName` says). `after` and `before` bound the requests.
      """,
    [.optional("revenueName", .text)] + window
  ) { evidence, with in
    let tracked = trackedNames(evidence, revenueName: with["revenueName"]?.string ?? "revenue")
    if tracked.isEmpty { return nothing("tracked events") }
    let accepted = requests(evidence, with, default: "event").filter { ($0.view["answered"]?.int ?? 999) < 300 }
    var left = tally(tracked)
    for request in accepted { left[request.view["body"]?["eventName"]?.string ?? "", default: 0] -= 1 }
    return left.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { name, missing in
      let count = tally(tracked)[name] ?? 0
      return Finding(
        subject: "accepted events named '\(name)'", expected: "\(count)", observed: "\(count - missing)",
        entries: accepted.filter { $0.view["body"]?["eventName"]?.string == name }.map(\.entry))
    }
  }

  private static func tally(_ names: [String]) -> [String: Int] {
    names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func trackedNames(_ evidence: Evidence, revenueName: String) -> [String] {
    commands(evidence).compactMap { command, _ in
      switch command.name {
      case "trackEvent": command.params["name"]?.string
      case "trackRevenue": revenueName
      default: nil
      }
    }
  }

  private static func commands(_ evidence: Evidence) -> [(TranscriptEntry.Command, LogicalTime)] {
    evidence.transcript.entries.compactMap { entry in
      if case .command(let command) = entry.event { (command, entry.at) } else { nil }
    }
  }

  static let refusedOrKept = Check(
    text: """
      The step `call` failed, or the step `size` found something in the queue, or the server accepted the event named \
      `event`: in one of these ways the app or the server learns of it.
      """,
    [.init("call", .outcome), .init("size", .outcome), .init("event", .text)] + window
  ) { evidence, with in
    guard let call = with["call"]?.string, let size = with["size"]?.string, let name = with["event"]?.string else {
      throw Check.Misuse(wanted: "'call', 'size' and 'event'")
    }
    let isRefused = evidence.outcomes[call]?.view[Template.errorKey] != nil
    let isKept = (evidence.outcomes[size]?.view.int ?? 0) > 0
    let isAccepted = requests(evidence, with, default: "event").contains {
      $0.view["body"]?["eventName"]?.string == name && ($0.view["answered"]?.int ?? 999) < 300
    }
    guard !isRefused, !isKept, !isAccepted else { return [] }
    return [
      Finding(
        subject: "event '\(name)'", expected: "an error, a place in the queue or an answer of success",
        observed: "none of them", entries: evidence.outcomes[call]?.entries ?? [])
    ]
  }

  static let timestampsNearCall = Check(
    text: """
      If the app tracked an event, the SDK reports it with the time of the call, even if it sends the event late. \
      `within` is how many milliseconds the two times may differ (2000).
      """,
    [.optional("within", .integer)] + window
  ) { evidence, with in
    let limit = with["within"]?.int ?? 2000
    let reports = requests(evidence, with, default: "event").map { ($0, trackingTimes(of: $0, in: evidence)) }
      .filter { !$0.1.isEmpty }
    if reports.isEmpty { return nothing("requests for tracked events") }
    return reports.compactMap { request, times in
      let timestamp = request.view["body"]?["timestamp"]
      let said = timestamp?.string.flatMap { Timestamp(iso8601: $0) }?.milliseconds
      if let said, times.contains(where: { $0.lowerBound - limit <= said && said <= $0.upperBound + limit }) {
        return nil
      }
      let expected = times.map { Timestamp(milliseconds: $0.upperBound).text }.joined(separator: " or ")
      return Finding(
        subject: "event request", path: JSONPath([.key("body"), .key("timestamp")]),
        expected: "\(expected), within \(limit) ms", observed: timestamp?.excerpt ?? "nothing",
        entries: [request.entry])
    }
  }

  /// The times at which the app can have tracked the event of a request: milliseconds since 1970, by the SDK's wall
  /// clock. With the scaled clock, the wall clock is slower than logical time. So each range then begins at the start
  /// of the case.
  private static func trackingTimes(
    of request: Evidence.Observation, in evidence: Evidence
  ) -> [ClosedRange<Int>] {
    let header = evidence.transcript.header
    return commands(evidence).compactMap { command, time in
      guard command.name == "trackEvent", command.params["name"] == request.view["body"]?["eventName"] else {
        return nil
      }
      let latest = header.epoch + Int(time.milliseconds)
      return (header.clock == .scaled ? header.epoch : latest)...latest
    }
  }
}
