import ConformanceModel
import JSONKit

/// A few lines of a transcript that a person can read, such as
/// `#7  +0ms  → POST /api/sdk/v1/event {"eventName":"e1"}`.
///
/// An arrow to the right is a request on the wire, one to the left its answer. A line that holds only `…` stands for
/// entries left out; beginnings and ends of steps always are.
package struct TranscriptExcerpt: Sendable {
  /// How many entries are shown at most.
  package var limit: Int
  /// How many characters a line has at most.
  package var width: Int

  package init(limit: Int = 12, width: Int = 140) {
    self.limit = limit
    self.width = width
  }

  /// The entries with these numbers, each with its neighbours as far as the limit allows; without numbers, the
  /// beginning and the end of the transcript.
  package func lines(of transcript: Transcript, around numbers: [Int]) -> [String] {
    let shown = transcript.entries.filter { !$0.event.isStepMark }
    let wanted = Set(numbers)
    let named = shown.indices.filter { wanted.contains(shown[$0].number) }
    let near = Set(named.flatMap { [$0 - 1, $0, $0 + 1] }).filter(shown.indices.contains).sorted()
    let chosen = named.isEmpty ? Array(shown.indices) : near.count <= limit ? near : named
    let kept =
      chosen.count <= limit ? chosen : Array(chosen.prefix(limit - limit / 2)) + Array(chosen.suffix(limit / 2))
    return render(kept, of: shown)
  }

  private func render(_ indices: [Int], of entries: [TranscriptEntry]) -> [String] {
    let table = ColumnTable(
      indices.map { index in
        let entry = entries[index]
        return ["#\(entry.number)", "+\(entry.at)", summary(of: entry.event)]
      })
    var lines: [String] = []
    var next = indices.first ?? 0
    for (index, line) in zip(indices, table.lines) {
      if index != next { lines.append("…") }
      lines.append(line.cut(at: width))
      next = index + 1
    }
    return lines
  }
}

extension TranscriptExcerpt {
  private func summary(of event: TranscriptEntry.Event) -> String {
    switch event {
    case .stepBegan(let mark): "step \(mark.place) \(mark.word) begins"
    case .stepEnded(let mark): "step \(mark.place) \(mark.word) ends"
    case .command(let command): "call \(show(command.name)) \(show(command.params))"
    case .reply(let reply): "reply to call \(reply.id): " + outcome(reply.outcome)
    case .callback(let handle, let value): "callback \(show(handle)): \(show(value))"
    case .process(let change): process(change)
    case .output(let octets): "stderr: \(show(octets))"
    case .breach(let text): "adapter protocol broken: \(show(text))"
    case .request(let upstream, let record): "→ \(port(upstream))\(request(record))"
    case .malformed(let upstream, _, let reason, let octets):
      "→ \(port(upstream))not HTTP (\(show(reason))): \(show(octets))"
    case .response(let upstream, let record): "← \(port(upstream))\(response(record))"
    case .cut(let upstream, let text): "fault: \(port(upstream))\(show(text))"
    case .fault(let upstream, _, let kind): "fault fires: \(port(upstream))\(show(kind))"
    case .closed(let upstream, _, let closer): "connection \(port(upstream))closed by the \(closer.rawValue)"
    case .operated(_, let operation): "operate \(show(operation.name)): " + outcome(operation.outcome)
    case .bound(let label, let value): "\(show(label)) is \(show(value))"
    case .sent(_, let service, let record): "→ \(port(service))\(request(record))"
    case .received(_, let record): "← \(response(record))"
    case .failed(_, let failure): "← no response: \(show(failure.description))"
    case .clock(let time): "clock moves to +\(time)"
    case .end(let ending): "end: \(ending.kind.rawValue)" + (ending.text.isEmpty ? "" : ", \(show(ending.text))")
    }
  }

  private func request(_ record: RequestRecord) -> String {
    let line = [record.method, record.target].filter { !$0.isEmpty }.joined(separator: " ")
    let miss = record.nearMiss.map { " (fits no exchange: \(show($0)))" } ?? ""
    return show(line) + miss + body(record.body)
  }

  private func response(_ record: ResponseRecord) -> String {
    show(String(record.line.drop { $0 != " " }.dropFirst())) + body(record.body)
  }

  private func body(_ octets: Octets) -> String { octets.bytes.isEmpty ? "" : " " + show(octets) }

  private func outcome(_ outcome: CommandOutcome) -> String {
    switch outcome {
    case .result(let value): show(value)
    case .error(let error): "error " + show(error.representation)
    case .noReply: "none came"
    }
  }

  private func process(_ change: TranscriptEntry.Process) -> String {
    switch change {
    case .started(let launch): "process started (launch \(launch))"
    case .exited(let code): "process exited with code \(code)"
    case .signalled(let signal): "process ended by signal \(signal)"
    case .ended(.clean): "process asked to end"
    case .ended(.kill): "process killed by the kit"
    }
  }

  private func port(_ service: String) -> String { "\(show(service)) " }

  private func show(_ text: String) -> String { text.prefix(width).description.visibleOnOneLine }
  private func show(_ value: JSON) -> String { show(value.excerpt) }
  /// Only as much of a long body is decoded as can be seen.
  private func show(_ octets: Octets) -> String { show(Octets(octets.bytes.prefix(width * 16)).text) }
}

extension TranscriptEntry.Event {
  fileprivate var isStepMark: Bool {
    switch self {
    case .stepBegan, .stepEnded: true
    default: false
    }
  }
}
