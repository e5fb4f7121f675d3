import ConformanceTranscript
import HTTPValues

/// A whole transcript as text for people: every step and all events during the step, without omissions.
package struct Conversation: Sendable {
  package var showsHeaders: Bool
  /// If it is not nil, the text contains only the entry with the number `entry` and `distance` entries before and after
  /// it.
  package var around: (entry: Int, distance: Int)?

  package init(showsHeaders: Bool = false, around: (entry: Int, distance: Int)? = nil) {
    self.showsHeaders = showsHeaders
    self.around = around
  }

  /// A line with the case, the subjects, the clock and the seed, and then each entry with its number, time and text.
  package func lines(of transcript: Transcript) -> [String] {
    let header = transcript.header
    let subjects = header.subjects.sorted { $0.key < $1.key }.map { role, subject in
      "\(role) \(subject.name) \(subject.version)"
    }
    let title = [header.instance.title] + subjects + ["\(header.clock.rawValue) clock", "seed \(header.seed)"]
    let shown = transcript.entries.filter { entry in
      around.map { abs(entry.number - $0.entry) <= $0.distance } ?? true
    }
    let last = "\(transcript.entries.count)".count + 1
    return [title.joined(separator: " · ").visibleOnOneLine]
      + shown.flatMap { lines(of: $0, margin: last) }
  }

  /// The lines about an entry: its number, time and text. Empty for the end of a step.
  ///
  /// - Parameter margin: the width of the column with the number.
  package func lines(of entry: TranscriptEntry, margin: Int = 4) -> [String] {
    let start = "#\(entry.number)".padded(to: margin) + "  +\(entry.at)".padded(to: 10) + " "
    switch entry.event {
    case .stepEnded: return []
    case .stepBegan(let mark):
      let label = mark.label.map { " '\($0)'" } ?? ""
      return ["", "\(mark.place)  \(mark.word)\(label)".visibleOnOneLine]
    default:
      let text = EntryText.whole
      let below = String(repeating: " ", count: start.count + 2)
      guard let message = entry.event.message, let head = text.head(of: entry.event) else {
        return [start + text.text(of: entry.event)]
      }
      let fields = showsHeaders ? message.headers.fields.map { "\($0.name): \($0.value)" } : []
      let body = message.body.bytes.isEmpty ? [] : [message.body.text]
      return [start + head] + (fields + body).map { below + $0.visibleOnOneLine }
    }
  }
}

extension TranscriptEntry.Event {
  /// The header fields and the body of a message on the wire.
  fileprivate var message: (headers: HTTPHeaders, body: Octets)? {
    switch self {
    case .request(_, let record), .sent(_, _, let record): (record.headers, record.body)
    case .response(_, let record), .received(_, let record): (record.headers, record.body)
    default: nil
    }
  }
}
