import ConformanceTranscript
import JSONKit

/// A kind of change to an observation in a transcript of a subject.
package enum Bend: String, CaseIterable, Sendable {
  /// The event is removed.
  case lost
  /// The event occurs twice.
  case doubled
  /// The event is swapped with the next one of its kind.
  case swapped
  /// A member is absent.
  case removed
  /// A member has a different name.
  case renamed
  /// A member has a value of a different type.
  case retyped
  /// A member has a different value of the same type.
  case altered
  /// A call failed.
  case failed
  /// A failed call succeeded.
  case succeeded
  /// A call never returned.
  case unanswered
}

/// The place and the kind of a mutation, independent of a transcript: `request install body.timezone removed`.
package struct MutantKind: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The kind and name of the observation, and the member if there is one: `request event`, `reply flush`, `response
  /// install body.installId`.
  package var place: String
  package var bend: Bend

  package init(_ place: String, _ bend: Bend) {
    self.place = place
    self.bend = bend
  }

  package var description: String { "\(place) \(bend.rawValue)" }

  package static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// A mutation of a transcript. ``applied(to:)`` builds the mutated transcript.
struct Mutant: Hashable, Sendable {
  /// A change of entries. The numbers are indices of entries.
  enum Edit: Hashable, Sendable {
    case remove(Int)
    /// Inserts a copy of an entry, and of its response if it has one, after the original.
    case `repeat`(Int, response: Int?)
    /// Exchanges the contents of two entries.
    case swap(Int, Int)
    /// Mutates the member at a path of the observation.
    case bend(Int, JSONPath)
    /// Replaces the event.
    case replace(Int, TranscriptEntry.Event)
  }

  var kind: MutantKind
  var edit: Edit

  /// The mutated transcript. Its entries are numbered from 1 without gaps, as in every transcript.
  func applied(to transcript: Transcript) -> Transcript {
    var transcript = transcript
    change(&transcript)
    for index in transcript.entries.indices { transcript.entries[index].number = index + 1 }
    return transcript
  }

  private func change(_ transcript: inout Transcript) {
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
  }
}

extension TranscriptEntry {
  /// A connection number that no other entry has.
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
  /// The value with a mutation of the member at a path; unchanged if the mutation does not apply.
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
      // A double does not represent such a large number exactly, and adding one changes nothing.
      Number(number.double + 1 == number.double ? number.double / 2 : number.double + 1).map(JSON.number) ?? 1
    case .string(let text): .string(text + "x")
    case .array(let elements): .array(elements + ["x"])
    case .object(let object): .object(JSON.Object(object.members + [.init(key: "x", value: "x")]))
    }
  }
}
