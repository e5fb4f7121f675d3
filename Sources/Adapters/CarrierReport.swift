import Processes

/// A line that the program `conform-carriers` writes to the kit. It consists of a word, a blank and a text.
package enum CarrierReport: Hashable, Sendable {
  /// A sentence for the user.
  case note(String)
  /// The kit waits for an adapter that connects to this URL.
  case waiting(url: String)
  /// From now on, a relay that connects to this place can reach an adapter.
  case ready(place: String)
  /// No adapter can be reached. The text is the reason.
  case failure(String)

  /// The environment variable that contains the place to which a relay connects.
  package static let placeVariable = "CONFORM_RELAY"

  /// Reads a line without its end; nil for a line that does not have this form.
  package init?(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("note", 2): self = .note(parts[1])
    case ("waiting", 2): self = .waiting(url: parts[1])
    case ("ready", 2): self = .ready(place: parts[1])
    case ("failure", 2): self = .failure(parts[1])
    default: return nil
    }
  }

  /// The line, without its end. The associated texts must not contain a line end.
  package var line: String {
    switch self {
    case .note(let text): "note \(text)"
    case .waiting(let url): "waiting \(url)"
    case .ready(let place): "ready \(place)"
    case .failure(let reason): "failure \(reason)"
    }
  }
}

extension ProgramCommand {
  /// Whether this command starts a relay, which connects to an adapter that runs elsewhere.
  package var isRelay: Bool { environment[CarrierReport.placeVariable] != nil }
}
