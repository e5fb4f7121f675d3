import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit

/// Finds the values in the messages of a transcript to which findings refer.
struct CitedMessages {
  /// A body that cannot be compared with an earlier body is shown member by member only if it has at most this many
  /// members.
  private static let mostMembers = 3

  private let transcript: Transcript
  private let places: [Int: [CitedPlaces]]

  init(of transcript: Transcript, _ places: [Int: [CitedPlaces]]) {
    self.transcript = transcript
    self.places = places
  }

  /// The values in an entry that show the differences which its findings report. Empty if the whole entry must be
  /// shown.
  func values(of entry: TranscriptEntry) -> [CitedPlaces.Place] {
    guard let cited = places[entry.number], let view = entry.event.view else { return [] }
    var seen: Set<JSONPath> = [.root]
    let shown = cited.flatMap { $0.values(in: view) }.filter { seen.insert($0.path).inserted }
    guard shown.isEmpty, cited.contains(where: \.isAboutPart), let request = entry.event.request else { return shown }
    return members(of: request, entry.number)
  }

  /// The members of a request's body that differ from the previous request with the same first line. Without a previous
  /// request, all members of a small body. The account shows these members if a finding names the request but is about
  /// a place in the answer. Then they show which request it was.
  private func members(of request: RequestRecord, _ number: Int) -> [CitedPlaces.Place] {
    guard let members = request.view[Self.body]?.object?.members else { return [] }
    let earlier = transcript.entries.last { $0.number < number && $0.event.request?.line == request.line }
    let before = earlier?.event.request?.view[Self.body]?.object
    let chosen = before.map { before in members.filter { before[$0.key] != $0.value } } ?? members
    guard before != nil || chosen.count <= Self.mostMembers else { return [] }
    return chosen.map { (JSONPath.root.appending(key: Self.body).appending(key: $0.key), $0.value) }
  }

  private static let body = "body"
}

extension TranscriptEntry.Event {
  /// The request of the event; nil if the event is not a request on the wire.
  fileprivate var request: RequestRecord? {
    switch self {
    case .request(_, let record), .sent(_, _, let record): record
    default: nil
    }
  }

  /// The value in which the paths of findings begin: a message on the wire or the value of a callback. Nil for any
  /// other event.
  fileprivate var view: JSON? {
    switch self {
    case .request(_, let record), .sent(_, _, let record): record.view
    case .response(_, let record), .received(_, let record): record.view
    case .callback(_, let value): value
    default: nil
    }
  }
}
