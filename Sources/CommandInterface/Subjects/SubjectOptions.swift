import ArgumentParser
import ConformanceBench
import ConformanceModel
import ConformancePack
import ConformanceProvisioning
import ConformanceRunner
import ConformanceTLS
import ConformanceWire
import FoundationEssentials
import Recording
import ReferenceKit
import Templates
import TextKit

/// The options that name the SDK or the server under test.
package struct SubjectOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      The command that starts the adapter of an SDK; the URL of an adapter that listens, such as \
      http://127.0.0.1:9000/; or ws://:9000, if the adapter opens a WebSocket to this port of the kit.
      """, valueName: "command"))
  package var sdk: String?

  @OptionGroup package var carrier: CarrierOptions
  @OptionGroup var mocks: MockOptions

  @Option(
    help: ArgumentHelp(
      """
      A folder of exchanges that replace exchanges of the protocol. The cases stay the same, but their messages have \
      different paths and members.
      """, valueName: "folder"), completion: .directory)
  package var wire: String?

  @Option(
    name: .customLong("server"),
    help: ArgumentHelp(
      "The base URL of a server. If the server has several services, repeat the option with NAME=URL.",
      valueName: "url"))
  var servers: [String] = []

  @Option(
    help: ArgumentHelp(
      "A provisioning file. It describes how the kit reaches a server, and creates the states that cases need.",
      valueName: "file"), completion: .file())
  var serverFile: String?

  @Option(
    help: ArgumentHelp(
      """
      A binding file. It describes how the kit starts and calls a backend, which is a server that calls another \
      server.
      """, valueName: "file"), completion: .file())
  var backend: String?

  @Option(
    name: [.customLong("defect"), .customLong("variant")],
    help: ArgumentHelp(
      """
      Switch on a defect, or a legal variant, of the embedded references. For several, repeat the option or use \
      commas. Each reference SDK also accepts 'lacks:NAME', which leaves a capability out, and 'early-refused', which \
      refuses callbacks before the set-up.
      """, valueName: "id"), completion: NameCompletion.of(.defect))
  var defects: [ListArgument<String>] = []

  @Option(
    help: ArgumentHelp(
      "The clock of the cases. The default is the fastest clock that the adapter offers.", valueName: "mode"))
  package var clock: ClockMode?

  @Option(help: ArgumentHelp("The seed of all random values.", valueName: "number"))
  package var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      """
      The number of cases that run at the same time. For each core, the default is 4 with the virtual clock, 32 with \
      the scaled or real clock, 256 with the embedded server, 8 with another server, and 2 if a hook of this server is \
      a program. With slots, the default is the number of slots. With an adapter that the kit does not start, the \
      default is 1. The number is lower if ulimit -n leaves no room.
      """, valueName: "number"))
  package var jobs: Int?

  @Option(help: ArgumentHelp("The number of seconds that a case may take in real time.", valueName: "seconds"))
  var timeLimit = 60.0

  package func validate() throws {
    if namesServer, backend != nil {
      throw ValidationError("give either --server or --backend, not both: each run is about one subject that is called")
    }
    if !defects.isEmpty, sdk != nil || namesServer || backend != nil {
      throw ValidationError("--defect switches on a defect of the embedded references; leave out --sdk and --server")
    }
    if wire != nil, sdk == nil, !namesServer {
      throw ValidationError(
        "--wire needs a subject under test: name it with --sdk, --server or --server-file")
    }
    try carrier.validate(for: sdk)
    try mocks.validate(hasSDK: sdk != nil, jobs: jobs)
    if let jobs, jobs < 1 { throw ValidationError("--jobs expects a number of at least 1, found \(jobs)") }
    if !(timeLimit > 0 && timeLimit <= 86400) {
      throw ValidationError(
        "--time-limit expects a number of seconds above 0 and up to 86400 (a day), found \(timeLimit)")
    }
  }

  private var namesServer: Bool { !servers.isEmpty || serverFile != nil }

  var namesCalled: Bool { namesServer || backend != nil }

  /// The roles of the run: only the requested role if there is one, otherwise the first role that fits the subjects in
  /// the options. If the options name no subjects, the run has all roles that the references play.
  package func roles(_ wanted: Role?, in definition: ProtocolDefinition, _ pack: ProtocolPack) throws -> [Role] {
    guard sdk != nil || namesCalled else { return try referenceRoles(wanted, in: definition, pack) }
    if sdk != nil, namesCalled { try checkTogether() }
    let fitting = definition.roleNames.filter { fits($0, in: definition) }
    if let wanted {
      guard !definition.roleNames.contains(wanted) || fitting.contains(wanted) else {
        throw BadInput(
          "--role \(wanted) does not fit the subjects that are given; it needs "
            + Self.needs(of: wanted, in: definition))
      }
      return [wanted]
    }
    guard !fitting.isEmpty else {
      throw BadInput(
        "no role of \(definition.name) fits the given subjects: leave one of them out, or choose another protocol")
    }
    return Array(fitting.prefix(1))
  }

  /// Throws for options that do not work in a run of an SDK together with a server or backend.
  private func checkTogether() throws {
    if let clock, clock != .real {
      throw BadInput(
        "--clock \(clock.rawValue): the kit cannot set the clock of a server or a backend; give --clock real, or leave "
          + "--clock out")
    }
    if wire != nil, backend == nil {
      throw BadInput(
        "--wire: the kit passes the messages between an SDK and a server on unchanged; leave out --wire, or run the SDK "
          + "and the server alone")
    }
  }

  /// The roles that the references play, or only the requested role. Throws if no reference plays the role.
  private func referenceRoles(
    _ wanted: Role?, in definition: ProtocolDefinition, _ pack: ProtocolPack
  ) throws -> [Role] {
    let played = pack.referenceRoles(of: definition)
    guard let wanted else {
      guard played.isEmpty else { return played }
      let needs = definition.roleNames.map { "\($0) needs \(Self.needs(of: $0, in: definition))" }
        .joined(separator: "; ")
      throw BadInput(
        "the kit carries no reference for \(definition.name): name the subject under test (\(needs))")
    }
    guard definition.roleNames.contains(wanted), !played.contains(wanted) else { return [wanted] }
    throw BadInput(
      "the kit carries no reference for the role '\(wanted)' of \(definition.name): it needs "
        + Self.needs(of: wanted, in: definition))
  }

  /// One sentence for each role without a reference. A run in which the options name no subject leaves out these roles.
  package func omissions(_ roles: [Role], in definition: ProtocolDefinition) -> [String] {
    guard sdk == nil, !namesCalled else { return [] }
    return definition.roles.filter { !roles.contains($0.role) }.map {
      "the role '\($0.role)' is left out, since the kit carries no reference for it: it needs "
        + Self.needs(of: $0.role, in: definition)
    }
  }

  private func fits(_ role: Role, in definition: ProtocolDefinition) -> Bool {
    let ports = definition.ports(of: role)
    guard ports.hasDriver == (sdk != nil), ports.downstream.isEmpty == !namesCalled else { return false }
    return !namesCalled || definition.callsServices(definition.calledRole(of: role)) == (backend != nil)
  }

  private static func needs(of role: Role, in definition: ProtocolDefinition) -> String {
    let ports = definition.ports(of: role)
    let isBackend = definition.callsServices(definition.calledRole(of: role))
    let called = ports.downstream.isEmpty ? nil : isBackend ? "--backend" : "--server"
    return [ports.hasDriver ? "--sdk" : nil, called].compactMap(\.self).joined(separator: " and ")
  }

  /// The mutations of the defects that are switched on. The kit applies these mutations to the messages of the
  /// reference for this role, and in a chain or pair to the messages of both references.
  func bends(_ role: Role, in catalogue: Catalogue) throws -> [Defect.Bend] {
    let wanted = Set(defects.values())
    let sides = catalogue.definition.subjectRoles(of: role)
    let bent = catalogue.defects.filter { sides.contains($0.side) && $0.bend != nil && wanted.contains($0.id.rawValue) }
    if catalogue.definition.isPair(role), let other = bent.first(where: { $0.bend?.canBeRelayed == false }) {
      throw BadInput(
        "--defect \(other.id): in a pair, the kit passes on all messages and can only change or repeat them; "
          + "use --role \(other.side)")
    }
    let late = bent.filter { $0.bend?.isAboutTime ?? false }
    if late.count > 1 {
      throw BadInput(
        "--defect: expected one that delays or reorders at most, found "
          + late.map(\.id.rawValue).joined(separator: " and "))
    }
    return bent.compactMap(\.bend)
  }

  /// The requested defects and variants for which the reference of this role has a switch. Throws for an unknown id.
  package func switches(_ role: Role, of pack: ProtocolPack, in catalogue: Catalogue) throws -> Set<DefectID> {
    let bends = Set(catalogue.defects.filter { $0.bend != nil }.map(\.id))
    let known = pack.switches.values.reduce(into: bends) { $0.formUnion($1) }
    let named = Set(defects.values().map { DefectID($0) })
    for id in named.sorted() where !known.contains(id) {
      guard Restrictions.reserves(id) else {
        if let hint = CatalogueNameKind.hint(for: id.rawValue, besides: .defect, in: catalogue) {
          throw BadInput("unknown defect of the references '\(id)'; \(hint)")
        }
        throw BadInput.unknown("defect of the references", id.rawValue, known.map(\.rawValue).sorted(), list: "defects")
      }
      try Self.check(restriction: id, in: catalogue.definition)
    }
    let restrictions = catalogue.definition.drivenRoles.contains(role) ? named.filter(Restrictions.reserves) : []
    return named.intersection(pack.switches[role] ?? []).union(restrictions)
  }

  /// Throws if a requested id is unknown, or if the defect or variant belongs to a role that is not in the run.
  package func checkSwitches(for roles: [Role], of pack: ProtocolPack, in catalogue: Catalogue) throws {
    for role in roles { _ = try switches(role, of: pack, in: catalogue) }
    let subjects = Set(roles.flatMap(catalogue.definition.subjectRoles(of:)))
    let sides =
      catalogue.defects.map { ($0.id, $0.side) } + (catalogue.variants + pack.variants).map { ($0.id, $0.side) }
    for (id, side) in sides where !subjects.contains(side) && defects.values().contains(id.rawValue) {
      let named = roles.map { "'\($0)'" }.joined(separator: ", ")
      throw BadInput("--defect \(id): this is a defect of the role '\(side)', but the run has only \(named)")
    }
  }

  /// Throws if a restriction of the reference SDK cannot have an effect in this protocol.
  private static func check(restriction id: DefectID, in definition: ProtocolDefinition) throws {
    guard let name = Restrictions.capability(lackedBy: id) else {
      guard Restrictions.registrations(in: definition).isEmpty else { return }
      throw BadInput("\(id): no command of \(definition.name) registers a callback, so none can be refused early")
    }
    let known = definition.drivenRoles.flatMap { definition.capabilities(of: $0) }
    guard known.contains(name) else {
      throw BadInput.unknown("capability of an SDK", name, Set(known).sorted(), list: "capabilities")
    }
  }

  /// The conditions of the run that are the same for all subjects, such as the seed and the clock.
  package func conditions(_ redaction: Redaction) -> RunConditions {
    var conditions = RunConditions(
      kit: Kit.name, seed: seed, clock: clock, timeLimit: .milliseconds(Int(timeLimit * 1000)), redaction: redaction,
      tls: RunTLS())
    conditions.hostAbilities = hostAbilities
    conditions.mocks = mocks.place
    return conditions
  }

  /// The number of cases that run at once: the number in `--jobs`, or else a number that suits this machine. It is less
  /// if the process may not open enough files.
  package func jobs(for testbed: Testbed) -> Int {
    // Two cases at once cannot listen on the same port.
    let isElsewhere = sdk != nil && !startsAdapter || mocks.place.firstPort != 0
    let usual = isElsewhere ? 1 : testbed.jobs(cores: ProcessInfo.processInfo.activeProcessorCount)
    return OpenFiles.cases(atMost: jobs ?? usual)
  }

  /// The redaction of the called subject's secrets, and of the secrets in this command line.
  ///
  /// `vocabulary` contains the words of the protocol. They stay in the evidence even if a secret is spelled like one of
  /// them.
  package func redaction(_ called: CalledSubject?, vocabulary: Set<String> = Redaction.commonWords) -> Redaction {
    let command = (sdk.map { CommandSecrets($0).values } ?? []).filter { $0.count >= Provisioning.shortestSecret }
    return Redaction(
      secrets: (called?.secrets ?? []) + servers.flatMap(CalledSubject.userInformation) + command,
      names: called?.secretNames ?? [:], vocabulary: called?.vocabulary ?? vocabulary, obtained: called?.obtained)
  }

  /// The options for another command, so that it tests the same subjects.
  package var words: [String] {
    var words = Words()
    words.add("--sdk", sdk.map { CommandSecrets($0).shown })
    words.add(carrier.words + mocks.words)
    words.add("--wire", wire)
    words.add("--server-file", serverFile)
    for url in servers { words.add("--server", Redaction(secrets: CalledSubject.userInformation(of: url))(url)) }
    words.add("--backend", backend)
    for defect in defects.values() { words.add("--defect", defect) }
    words.add("--clock", clock?.rawValue)
    words.add("--seed", seed == 1 ? nil : "\(seed)")
    words.add("--time-limit", timeLimit == 60 ? nil : "\(timeLimit)")
    return words.list
  }
}
