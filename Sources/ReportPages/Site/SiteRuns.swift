import ConformanceModel
import ConformanceVerdict

/// The records of a site. Since a subject can have a thousand runs, only the records whose verdicts the site shows or
/// compares keep them in memory.
///
/// For each subject, a site shows the verdicts of the newest version and compares the last two runs. Of all other runs,
/// it shows only the conclusion. The newest version is the version in the last run with the site's pack, even if an
/// earlier run has a higher version number.
package struct SiteRuns {
  package private(set) var current: [ParityMatrix.Source] = []
  package private(set) var earlier: [ParityMatrix.Source] = []
  /// The runs of each subject that still have their verdicts.
  private var subjects: [Key: [Run]] = [:]

  private struct Key: Hashable {
    var role: Role
    var name: String
  }

  /// A run, with the index of its record in ``current`` or ``earlier``.
  private struct Run: Hashable {
    var startedAt: String
    var version: String
    var isEarlier: Bool
    var place: Int

    /// A key that identifies the run's record. Runs of different subjects can be in the same record.
    var record: [Int] { [isEarlier ? 1 : 0, place] }
  }

  package init() {}

  /// Adds a record.
  ///
  /// - Parameter isEarlier: whether the record was made with an earlier pack.
  package mutating func add(_ source: ParityMatrix.Source, isEarlier: Bool) {
    let place = isEarlier ? earlier.count : current.count
    if isEarlier { earlier.append(source) } else { current.append(source) }
    for role in Set(source.record.cases.map(\.role)) {
      let version = SiteSubject.version(of: source.record, role)
      let run = Run(startedAt: source.record.header.startedAt, version: version, isEarlier: isEarlier, place: place)
      subjects[Key(role: role, name: SiteSubject.name(of: source, role)), default: []].append(run)
    }
    // If a run of several roles is compared in at least one of these roles, the run keeps its verdicts.
    let compared = Set(subjects.values.flatMap(Self.compared).map(\.record))
    for (key, runs) in subjects {
      for run in runs where !compared.contains(run.record) { summarize(run) }
      subjects[key] = runs.filter { compared.contains($0.record) }
    }
  }

  /// The runs of a subject whose verdicts the site shows or compares.
  private static func compared(_ runs: [Run]) -> [Run] {
    let sorted = runs.sorted { $0.startedAt < $1.startedAt }
    let newest = sorted.last { !$0.isEarlier }?.version
    return sorted.suffix(2) + sorted.filter { !$0.isEarlier && $0.version == newest }
  }

  private mutating func summarize(_ run: Run) {
    if run.isEarlier {
      earlier[run.place].record.summarize()
    } else {
      current[run.place].record.summarize()
    }
  }
}

extension RunRecord {
  /// The number of verdicts by disposition. ``summarize()`` does not change it.
  var tally: Tally { end?.tally ?? Tally(rulings.map(\.disposition)) }

  /// Removes all verdicts, and all cases except one for each role. A record without a last line is not changed, since
  /// such a record contains no counts, and its verdicts must be counted.
  fileprivate mutating func summarize() {
    guard end != nil, !rulings.isEmpty else { return }
    rulings = []
    var roles: Set<Role> = []
    cases = cases.filter { roles.insert($0.role).inserted }
  }
}
