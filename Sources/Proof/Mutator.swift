import ConformanceTranscript
import JSONKit

/// Lists all mutations of a transcript. The mutations change each request, callback, reply and response of the subject,
/// and each of their members. Events of the kit and of a server's provisioning are not mutated, since a subject cannot
/// change them.
package struct Mutator {
  /// An event of the subject.
  private struct Observation {
    var index: Int
    /// The kind and name of the event: `request signal`, `callback onSeen`.
    var name: String
  }

  private let entries: [TranscriptEntry]
  private let observations: [Observation]

  init(_ transcript: Transcript) {
    entries = transcript.entries
    var names = ObservationNames()
    observations = entries.indices.compactMap { index in
      names.name(of: transcript.entries[index].event).map { Observation(index: index, name: $0) }
    }
  }

  /// Every mutant, in the order of the entries.
  var mutants: [Mutant] {
    observations.indices.flatMap { place in
      wholes(observations[place], next: next(after: place)) + members(observations[place])
    }
  }

  private func next(after place: Int) -> Observation? {
    observations[(place + 1)...].first { $0.name == observations[place].name }
  }

  /// The mutations of an observation as a whole.
  private func wholes(_ observation: Observation, next: Observation?) -> [Mutant] {
    let index = observation.index
    func mutant(_ bend: Bend, _ edit: Mutant.Edit) -> Mutant {
      Mutant(kind: MutantKind(observation.name, bend), edit: edit)
    }
    var mutants: [Mutant] = []
    switch entries[index].event {
    case .request, .callback:
      mutants = [mutant(.lost, .remove(index)), mutant(.doubled, .repeat(index, response: response(to: index)))]
      if let next, entries[next.index].event.parts != entries[index].event.parts {
        mutants.append(mutant(.swapped, .swap(index, next.index)))
      }
    case .received(let label, _):
      let failure = WireFailure(.closed, "the server closed the connection without a response")
      mutants = [mutant(.lost, .replace(index, .failed(label: label, failure)))]
    case .reply(let reply):
      func replaced(_ outcome: CommandOutcome) -> Mutant.Edit {
        .replace(index, .reply(.init(id: reply.id, outcome: outcome)))
      }
      switch reply.outcome {
      case .result: mutants = [mutant(.failed, replaced(.error(CommandError(kind: "generic"))))]
      case .error: mutants = [mutant(.succeeded, replaced(.result(.null)))]
      case .noReply: break
      }
      mutants.append(mutant(.unanswered, replaced(.noReply)))
    default: break
    }
    return mutants
  }

  /// The index of the mock's response to the request at this index; nil if the entry is not a request, or if the
  /// request has no response.
  private func response(to index: Int) -> Int? {
    guard case .request(let upstream, let record) = entries[index].event else { return nil }
    for later in entries.indices.dropFirst(index + 1) {
      switch entries[later].event {
      case .request(upstream, let other) where other.connection == record.connection: return nil
      case .response(upstream, let response) where response.connection == record.connection: return later
      default: continue
      }
    }
    return nil
  }

  /// The mutations of each member of an observation.
  private func members(_ observation: Observation) -> [Mutant] {
    guard let parts = entries[observation.index].event.parts else { return [] }
    return parts.members(below: .root).flatMap { path, value in
      path.bends(of: value).map { bend in
        Mutant(kind: MutantKind("\(observation.name) \(path.pattern)", bend), edit: .bend(observation.index, path))
      }
    }
  }
}

/// Gives each observation its name, from the exchange, the callback or the command. Entries are read in order.
private struct ObservationNames {
  /// True if an adapter receives the commands; false if they belong to the provisioning of a server, which is not part
  /// of a subject.
  private var isDriven = false
  private var commands: [Int: String] = [:]
  /// Maps the handle of each callback to the command that registered it.
  private var registrations: [String: String] = [:]
  private var exchanges: [String?: String] = [:]

  mutating func name(of event: TranscriptEntry.Event) -> String? {
    switch event {
    case .process(.started): isDriven = true
    case .command(let command) where isDriven:
      commands[command.id] = command.name
      if let handle = command.params["handle"]?.string { registrations[handle] = command.name }
    case .sent(let label, _, let record): exchanges[label] = record.exchange ?? "other"
    case .request(_, let record): return "request \(record.exchange ?? "other")"
    case .callback(let handle, _): return "callback \(registrations[handle] ?? handle)"
    case .reply(let reply): return commands[reply.id].map { "reply \($0)" }
    case .received(let label, _): return exchanges[label].map { "response \($0)" }
    default: break
    }
    return nil
  }
}

extension JSON {
  /// All members and elements at any depth, with their paths. Outer members and elements come first.
  fileprivate func members(below path: JSONPath) -> [(path: JSONPath, value: JSON)] {
    let own: [(JSONPath, JSON)] =
      switch self {
      case .object(let object): object.members.map { (path.appending(key: $0.key), $0.value) }
      case .array(let elements): elements.enumerated().map { (path.appending(index: $0), $1) }
      default: []
      }
    return own.flatMap { path, value in [(path, value)] + value.members(below: path) }
  }
}

extension JSONPath {
  /// The path without the indices of elements: `body.items[].name`.
  fileprivate var pattern: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .index: text += "[]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      }
    }
  }

  /// The mutations that are possible at the path. Parts of a message cannot be renamed, and only values in bodies have
  /// types on the wire. The value of an object is not altered, since an object may always have a further member.
  fileprivate func bends(of value: JSON) -> [Bend] {
    guard case .key(let part)? = steps.first else { return [] }
    let isElement = if case .index? = steps.last { true } else { false }
    let bends: [Bend] =
      switch (part, steps.count) {
      case ("method", _), ("path", _), ("status", _): [.altered]
      case ("query", 1), ("headers", 1), ("error", 1): []
      case ("query", _), ("headers", _): [.removed, .renamed, .altered]
      case ("body", 1): [.removed, .retyped]
      case ("result", 1), ("value", 1): value == .null ? [] : [.retyped, .altered]
      case ("error", _): [.altered]
      default: isElement ? [.removed, .retyped, .altered] : [.removed, .renamed, .retyped, .altered]
      }
    return bends.filter { $0 != .altered || value.object == nil }
  }
}
