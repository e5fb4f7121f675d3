import ArgumentParser
import ConformanceBench
import ConformanceModel
import ConformanceRunner
import ConformanceWire
import FoundationEssentials

/// Who is under test.
struct SubjectOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The command that starts the adapter of an SDK.", valueName: "command"))
  var sdk: String?

  @Option(help: ArgumentHelp("The base URL of a server.", valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "A provisioning file: how to reach a server and bring it into the states that cases need.", valueName: "file"))
  var serverFile: String?

  @Option(
    name: .customLong("defect"),
    help: ArgumentHelp(
      "Switch on a defect, or a legal variant, of the embedded references; may be repeated.", valueName: "id"))
  var defects: [String] = []

  @Option(
    help: ArgumentHelp(
      "The clock: virtual, scaled or real; the cheapest that the adapter offers if not given.", valueName: "mode"))
  var clock: ClockMode?

  @Option(help: ArgumentHelp("The seed of everything random.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("How many cases run at once.", valueName: "number"))
  var jobs: Int?

  @Option(help: ArgumentHelp("How many seconds a case may take in reality.", valueName: "seconds"))
  var timeLimit = 60.0

  func validate() throws {
    if sdk != nil, namesServer {
      throw ValidationError("give either --sdk or --server, not both: each run is about one subject")
    }
    if !defects.isEmpty, sdk != nil || namesServer {
      throw ValidationError("--defect switches on a defect of the embedded references; leave out --sdk and --server")
    }
    if let jobs, jobs < 1 { throw ValidationError("--jobs wants a number of at least 1, found \(jobs)") }
    if !(timeLimit > 0 && timeLimit <= 86400) {
      throw ValidationError("--time-limit wants a number of seconds above 0, at most 86400 (a day), found \(timeLimit)")
    }
  }

  private var namesServer: Bool { server != nil || serverFile != nil }

  /// The roles that the run is about.
  func roles(_ wanted: Role?, in definition: ProtocolDefinition) throws -> [Role] {
    let given: Role? = sdk != nil ? .sdk : namesServer ? .server : nil
    if let wanted, let given, wanted != given {
      throw BadInput("--role \(wanted.rawValue) does not fit: the subject is given as --\(given.rawValue)")
    }
    return (given ?? wanted).map { [$0] } ?? definition.roles.filter { $0 != .backend }
  }

  /// The defects and variants of one role. An id that neither role knows is an error.
  func switches(_ role: Role, of pack: ProtocolPack) throws -> Set<DefectID> {
    let known = pack.switches.values.reduce(into: Set<DefectID>()) { $0.formUnion($1) }
    for id in defects where !known.contains(DefectID(id)) {
      throw BadInput.unknown("defect of the references", id, known.map(\.rawValue).sorted(), list: "defects")
    }
    return Set(defects.map { DefectID($0) }).intersection(pack.switches[role] ?? [])
  }

  /// What is the same for every subject of the run.
  func conditions(_ redaction: Redaction) -> Testbed.Conditions {
    Testbed.Conditions(
      kit: Kit.name, seed: seed, clock: clock, timeLimit: .milliseconds(Int(timeLimit * 1000)), redaction: redaction)
  }

  /// How many cases run at once.
  func jobs(for testbed: Testbed) -> Int { jobs ?? testbed.jobs(cores: ProcessInfo.processInfo.activeProcessorCount) }

  /// The words that make another run be about the same subject.
  var words: [String] {
    var words = Words()
    words.add("--sdk", sdk)
    words.add("--server-file", serverFile)
    words.add("--server", server.map { Redaction(secrets: ServerOrder.userInformation(of: $0))($0) })
    for defect in defects { words.add("--defect", defect) }
    words.add("--clock", clock?.rawValue)
    words.add("--seed", seed == 1 ? nil : "\(seed)")
    words.add("--time-limit", timeLimit == 60 ? nil : "\(timeLimit)")
    return words.list
  }
}
