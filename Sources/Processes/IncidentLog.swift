import Synchronization

/// The incidents outside of cases: before, between and after cases. They belong to no case, so the run reports them.
/// Equal incidents are reported once.
package final class IncidentLog: Sendable {
  package enum Incident: Hashable, Sendable {
    /// The subject broke the adapter protocol. The text describes the observation and the expectation.
    case breach(String)
    /// The subject left a process of this name running, and the kit killed it.
    case leftover(String)
    /// A harmless remark.
    case remark(String)
  }

  private struct Entry {
    var subject: String
    var incident: Incident
    var count: Int
  }

  /// The largest number of different sentences about breaches that are reported for one subject. The same limit applies
  /// to the sentences about leftovers and remarks together.
  private static let mostKinds = 5

  /// The log of the run. A process performs one run.
  package static let shared = IncidentLog()

  /// The entries. The key is the subject and the text without digits, since the ids in a text differ each time.
  private let entries = Mutex<[String: Entry]>([:])

  package init() {}

  package func note(_ incident: Incident, of subject: String) {
    let key = "\(subject)\(incident)".filter { !$0.isNumber }
    entries.withLock { entries in
      entries[key, default: Entry(subject: subject, incident: incident, count: 0)].count += 1
    }
  }

  /// One sentence for each breach. Breaches make a run incomplete.
  package var breaches: [String] {
    sentences { incident in
      guard case .breach(let text) = incident else { return nil }
      return "broke the adapter protocol outside of any case: \(text)"
    }
  }

  /// One sentence for each leftover process and remark.
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
