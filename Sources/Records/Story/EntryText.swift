import ConformanceTranscript
import HTTPValues
import JSONKit

/// Writes an event of a transcript as one readable line: `→ api POST /api/sdk/v1/event {"eventName":"e1"}`.
///
/// An arrow to the right is a request on the wire, and an arrow to the left is its answer.
package struct EntryText {
  /// The largest number of characters of a value. Longer values are truncated.
  var width: Int

  /// Writes values in full length.
  static let whole = EntryText(width: 1 << 40)

  package init(width: Int = 140) { self.width = width }

  /// The event as one line.
  package func text(of event: TranscriptEntry.Event) -> String {
    switch event {
    case .stepBegan(let mark): "step \(mark.place) \(mark.word) begins"
    case .stepEnded(let mark): "step \(mark.place) \(mark.word) ends"
    case .command(let command): "call \(show(command.name)) \(shown(command.params))"
    case .reply(let reply): "reply to call \(reply.id): " + outcome(reply.outcome)
    case .callback(let handle, let value): "callback \(show(handle)): \(shown(value))"
    case .process(let change): process(change)
    case .output(let octets): "stderr: \(show(octets))"
    case .breach(let text): "adapter protocol broken: \(show(text))"
    case .request(let upstream, let record): "→ \(port(upstream))\(request(record))"
    case .malformed(let upstream, _, let reason, let octets):
      "→ \(port(upstream))not HTTP (\(show(reason))): \(show(octets))"
    case .response(let upstream, let record): "← \(port(upstream))\(response(record))"
    case .cut(let upstream, let text): "fault: \(port(upstream))\(show(text))"
    case .fault(let upstream, _, let kind): "fault fires: \(port(upstream))\(show(kind))"
    case .handshake(let upstream, let handshake):
      "TLS handshake \(port(upstream))\(handshake.outcome.rawValue): \(show(handshake.text))"
    case .kept(let upstream, _): "connection \(port(upstream))stays open"
    case .closed(let upstream, _, let closer): "connection \(port(upstream))closed by the \(closer.rawValue)"
    case .operated(_, let operation): "operate \(show(operation.name)): " + outcome(operation.outcome)
    case .bound(let label, let value): "\(show(label)) is \(shown(value))"
    case .sent(_, let service, let record): "→ \(port(service))\(request(record))"
    case .received(_, let record): "← \(response(record))"
    case .failed(_, let failure): "← no response: \(show(failure.description))"
    case .clock(let time): "clock moves to +\(time)"
    case .end(let ending): "end: \(ending.kind.rawValue)" + (ending.text.isEmpty ? "" : ", \(show(ending.text))")
    }
  }

  /// The first line of a message on the wire, or the name of a callback; nil for any other event.
  func head(of event: TranscriptEntry.Event) -> String? {
    switch event {
    case .callback(let handle, _): "callback \(show(handle))"
    case .request(let service, let record), .sent(_, let service, let record): "→ \(port(service))\(line(record))"
    case .response(let service, let record): "← \(port(service))\(line(record))"
    case .received(_, let record): "← \(line(record))"
    default: nil
    }
  }

  private func request(_ record: RequestRecord) -> String { line(record) + body(record.body) }

  private func line(_ record: RequestRecord) -> String {
    let line = [record.method, record.target].filter { !$0.isEmpty }.joined(separator: " ")
    let fault = record.exchange == nil ? "fits no exchange" : "not quite right"
    let miss = record.nearMiss.map { " (\(fault): \(show($0)))" } ?? ""
    return show(line) + miss
  }

  private func response(_ record: ResponseRecord) -> String { line(record) + body(record.body) }

  private func line(_ record: ResponseRecord) -> String {
    show(String(record.line.drop { $0 != " " }.dropFirst()))
  }

  private func body(_ octets: Octets) -> String { octets.bytes.isEmpty ? "" : " " + show(octets) }

  /// The outcome of a command in words.
  package func outcome(_ outcome: CommandOutcome) -> String {
    switch outcome {
    case .result(let value): shown(value)
    case .error(let error): "error " + shown(error.representation)
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

  /// The value as compact JSON, truncated to ``width``.
  package func shown(_ value: JSON) -> String { show(value.compactText) }

  /// The bytes as text, truncated to ``width``. Only the shown part of a long body is decoded.
  private func show(_ octets: Octets) -> String { show(Octets(octets.bytes.prefix(width * 16)).text) }
}
