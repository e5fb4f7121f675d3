import ConformanceModel
import JSONKit

/// A way in which something that a subject did can be bent.
package enum Bend: String, CaseIterable, Sendable {
  /// It did not happen.
  case lost
  /// It happened twice.
  case doubled
  /// It came in the place of the next one of its kind.
  case swapped
  /// A member is not there.
  case removed
  /// A member has another name.
  case renamed
  /// A member has a value of another type.
  case retyped
  /// A member has another value of the same type.
  case altered
  /// A call failed.
  case failed
  /// A call that failed did not.
  case succeeded
  /// A call was never answered.
  case unanswered
}

/// What is bent in a transcript and how, whichever transcript it is: `request install body.timezone removed`.
package struct MutantKind: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// What the subject did and which member of it: `request event`, `reply flush`, `response install body.installId`.
  package var place: String
  package var bend: Bend

  package init(_ place: String, _ bend: Bend) {
    self.place = place
    self.bend = bend
  }

  package var description: String { "\(place) \(bend.rawValue)" }

  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A bent transcript that is not made yet.
struct Mutant: Hashable, Sendable {
  /// What to do with the entries; numbers are their indices.
  enum Edit: Hashable, Sendable {
    case remove(Int)
    /// Inserts an entry again, with the response to it if there is one, behind that.
    case `repeat`(Int, response: Int?)
    /// Lets two entries change their contents.
    case swap(Int, Int)
    /// Bends the member at a path of what the entry observed.
    case bend(Int, JSONPath)
    /// Puts something else in the place of what happened.
    case replace(Int, TranscriptEntry.Event)
  }

  var kind: MutantKind
  var edit: Edit

  /// The transcript, bent.
  func applied(to transcript: Transcript) -> Transcript {
    var transcript = transcript
    switch edit {
    case .remove(let index): transcript.entries.remove(at: index)
    case .repeat(let index, let response):
      let copies = [index, response].compactMap(\.self).map { transcript.entries[$0].onNewConnection }
      transcript.entries.insert(contentsOf: copies, at: (response ?? index) + 1)
    case .swap(let first, let second):
      let event = transcript.entries[first].event
      transcript.entries[first].event = transcript.entries[second].event
      transcript.entries[second].event = event
    case .bend(let index, let path):
      let event = transcript.entries[index].event
      guard let parts = event.parts else { break }
      transcript.entries[index].event = event.rebuilt(from: parts.bent(kind.bend, at: path))
    case .replace(let index, let event): transcript.entries[index].event = event
    }
    return transcript
  }
}

extension TranscriptEntry {
  /// A connection that no other entry has.
  private static let newConnection = 1_000_000

  fileprivate var onNewConnection: TranscriptEntry {
    var copy = self
    switch event {
    case .request(let upstream, var record):
      record.connection = Self.newConnection
      copy.event = .request(upstream: upstream, record)
    case .response(let upstream, var record):
      record.connection = Self.newConnection
      copy.event = .response(upstream: upstream, record)
    default: break
    }
    return copy
  }
}

extension JSON {
  /// The value with the member at a path bent; a bend that does not fit leaves it as it is.
  func bent(_ bend: Bend, at path: JSONPath) -> JSON {
    guard let old = self[path] else { return self }
    switch bend {
    case .removed: return setting(nil, at: path)
    case .renamed:
      guard case .key(let key)? = path.steps.last else { return self }
      return renaming(path, to: key + "X")
    case .retyped: return setting(old.ofAnotherType, at: path)
    case .altered: return setting(old.altered, at: path)
    default: return self
    }
  }

  private var altered: JSON {
    switch self {
    case .null: "x"
    case .bool(let value): .bool(!value)
    case .number(let number):
      // One more is no change to a number that a double holds only roughly.
      Number(number.double + 1 == number.double ? number.double / 2 : number.double + 1).map(JSON.number) ?? 1
    case .string(let text): .string(text + "x")
    case .array(let elements): .array(elements + ["x"])
    case .object(let object): .object(JSON.Object(object.members + [.init(key: "x", value: "x")]))
    }
  }
}
