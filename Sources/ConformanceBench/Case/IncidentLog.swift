import Synchronization

/// What subjects did outside of cases: between two of them, before the first, after the last. It belongs to no case, so it
/// is told once for the run.
package final class IncidentLog: Sendable {
  /// One thing that somebody did.
  package enum Incident: Hashable, Sendable {
    /// It broke the adapter protocol: what was found and what was expected.
    case breach(String)
    /// It left something running, which was called so, and the kit killed it.
    case leftover(String)
    /// Something else that harmed nobody.
    case remark(String)
  }

  private struct Entry {
    var subject: String
    var incident: Incident
    var count: Int
  }

  /// How many kinds of breaches, or of leftovers, are told of one subject.
  private static let mostKinds = 5

  /// That of the run: a process makes one.
  package static let shared = IncidentLog()

  /// By what is told, without numbers: ids are others in each run.
  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  package func note(_ incident: Incident, of subject: String) {
    let key = "\(subject)\(incident)".filter { !$0.isNumber }
    entries.withLock { entries in
      entries[key, default: Entry(subject: subject, incident: incident, count: 0)].count += 1
    }
  }

  /// What of it keeps a run from being a whole one, a sentence each.
  package var breaches: [String] {
    sentences { incident in
      guard case .breach(let text) = incident else { return nil }
      return "broke the adapter protocol outside of any case: \(text)"
    }
  }

  /// What else there is to say, a sentence each.
  package var remarks: [String] {
    sentences { incident in
      switch incident {
      case .breach: nil
      case .leftover(let command): "left a process running, which was killed: \(command)"
      case .remark(let text): text
      }
    }
  }

  private func sentences(_ tell: (Incident) -> String?) -> [String] {
    let told = entries.withLock { Array($0.values) }.compactMap { entry in
      tell(entry.incident).map { (subject: entry.subject, text: $0, count: entry.count) }
    }
    return Dictionary(grouping: told, by: \.subject).sorted { $0.key < $1.key }.flatMap { subject, all in
      let sorted = all.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
      let rest = sorted.dropFirst(Self.mostKinds).reduce(0) { $0 + $1.count }
      let told = sorted.prefix(Self.mostKinds).map { one in
        "\(subject) \(one.text)" + (one.count > 1 ? " (\(one.count) times)" : "")
      }
      return told + (rest > 0 ? ["\(subject) did \(rest) more things of this kind"] : [])
    }
  }
}
