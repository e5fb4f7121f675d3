import ConformanceModel
import ConformanceVerdict
import Records

/// One subject of a site in one role: its runs, and the results of the newest version.
struct SiteSubject {
  let role: Role
  let name: String
  /// The name of the subject's files, without folder and ending. It is unique in the site.
  fileprivate(set) var slug: String
  /// The subject's records, including records of earlier packs. The oldest comes first.
  let runs: [RunRecord]
  /// The newest record that was made with the site's pack.
  let newest: RunRecord
  /// The newest record, completed with the verdicts that it lacks from older records of the same version.
  let current: RunRecord

  var version: String { Self.version(of: newest, role) }

  /// The title of the subject's column in a matrix.
  var title: String { version.isEmpty ? name : "\(name) \(version)" }

  /// The subjects of the records, one for each role and name. They are sorted by role, and then by their first
  /// occurrence.
  ///
  /// - Parameter earlier: records of earlier packs. The subject's page lists them as runs, but they do not contribute
  ///   to its verdicts.
  static func all(
    of sources: [ParityMatrix.Source], earlier: [ParityMatrix.Source] = [], roles: [Role]
  ) -> [SiteSubject] {
    var subjects: [SiteSubject] = []
    for role in roles {
      let (own, older) = (named(sources, role), named(earlier, role))
      for name in own.names {
        let runs = own.records[name] ?? []
        subjects.append(SiteSubject(role: role, name: name, runs: runs, earlier: older.records[name] ?? []))
      }
    }
    var taken: Set<String> = []
    for index in subjects.indices {
      subjects[index].slug = slug(subjects[index].name, taken)
      taken.insert(subjects[index].slug)
    }
    return subjects
  }

  /// Groups the records that contain cases of the role by the name of the subject. Also returns these names in the
  /// order of their first occurrence.
  private static func named(
    _ sources: [ParityMatrix.Source], _ role: Role
  ) -> (names: [String], records: [String: [RunRecord]]) {
    var (names, records): ([String], [String: [RunRecord]]) = ([], [:])
    for source in sources where source.record.cases.contains(where: { $0.role == role }) {
      let name = name(of: source, role)
      if records[name] == nil { names.append(name) }
      records[name, default: []].append(source.record)
    }
    return (names, records)
  }

  private init(role: Role, name: String, runs: [RunRecord], earlier: [RunRecord]) {
    func sorted(_ records: [RunRecord]) -> [RunRecord] { records.sorted { $0.header.startedAt < $1.header.startedAt } }
    let own = sorted(runs)
    self.role = role
    self.name = name
    self.runs = sorted(own + earlier)
    newest = own[own.count - 1]
    slug = ""
    let version = Self.version(of: newest, role)
    current = Self.merged(own.filter { Self.version(of: $0, role) == version })
  }

  /// The name of a source: its label, if it has one, or otherwise the names of the run's subjects.
  static func name(of source: ParityMatrix.Source, _ role: Role) -> String {
    if let label = source.label { return label.visibleOnOneLine }
    let names = participants(of: source.record, role).map(\.subject.name)
    return names.isEmpty ? "no name" : names.joined(separator: " + ").visibleOnOneLine
  }

  /// The version of the subject that a record is about.
  static func version(of record: RunRecord, _ role: Role) -> String {
    participants(of: record, role).map(\.subject.version).joined(separator: " + ").visibleOnOneLine
  }

  /// The record's text that reports whether the adapter really calls the SDK; empty if the record does not contain such
  /// a text.
  static func adapter(of record: RunRecord, _ role: Role) -> String {
    participants(of: record, role).compactMap(\.driving?.text).joined(separator: "; ")
  }

  private static func participants(of record: RunRecord, _ role: Role) -> [RunRecord.Participant] {
    let own = record.subjects.filter { $0.role == role }
    return own.isEmpty ? record.subjects : own
  }

  private static func merged(_ runs: [RunRecord]) -> RunRecord {
    var record = runs[runs.count - 1]
    var places = Set(record.rulings.map(JudgedPlace.init))
    var instances = Set(record.cases.map(\.instance))
    for older in runs.dropLast().reversed() {
      record.rulings += older.rulings.filter { places.insert(JudgedPlace($0)).inserted }
      record.cases += older.cases.filter { instances.insert($0.instance).inserted }
    }
    return record
  }

  /// A file name for the subject's name. It consists of lower-case ASCII letters, digits and hyphens, so that a name
  /// cannot lead out of the folder or contain a shell command. If the file name is taken, a number is added.
  private static func slug(_ name: String, _ taken: Set<String>) -> String {
    let bytes = name.utf8.prefix(60).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
      default: UInt8(ascii: "-")
      }
    }
    let words = bytes.split(separator: UInt8(ascii: "-")).map { String(decoding: $0, as: UTF8.self) }
    let base = words.isEmpty ? "subject" : words.joined(separator: "-")
    var (slug, number) = (base, 2)
    while taken.contains(slug) {
      slug = "\(base)-\(number)"
      number += 1
    }
    return slug
  }
}

/// The result of one subject for one requirement.
struct SiteResult {
  let requirement: RequirementID
  /// The ruling with the worst disposition. It decides the result.
  let worst: RunRecord.Ruling
  let tally: Tally

  /// The results of a subject, one for each requirement.
  static func all(of subject: SiteSubject) -> [SiteResult] {
    let own = Set(subject.current.cases.filter { $0.role == subject.role }.map(\.instance))
    let rulings = subject.current.distinctRulings.filter { own.contains($0.instance) }
    return Dictionary(grouping: rulings, by: \.requirement).sorted { $0.key < $1.key }.compactMap { id, group in
      group.worst.map { SiteResult(requirement: id, worst: $0, tally: Tally(group.map(\.disposition))) }
    }
  }
}
