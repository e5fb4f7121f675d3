import AdapterProtocol
import Adapters
import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceVerdict
import ConformanceWire
import JSONKit
import MockServices
import Processes
import Recording
import Subjects
import Templates

/// The subjects of one role, connected to the ports of the kit and ready to run plans.
package struct Testbed: Sendable {
  /// A subject that the kit calls: its description, its slots, and the client that sends requests to it.
  package struct Called: Sendable {
    package var subject: Subject
    package var source: SlotPool.Source
    package var client: WireClient
    /// The number of cases that the subject can serve at the same time for each core of the machine.
    package var casesPerCore: Int
    /// Ends all processes and closes all ports that the kit started or opened for the subject.
    package var release: @Sendable () async -> Void

    package init(
      subject: Subject, source: SlotPool.Source, client: WireClient = WireClient(limits: serverLimits),
      casesPerCore: Int = Testbed.casesPerCore, release: @escaping @Sendable () async -> Void = {}
    ) {
      self.subject = subject
      self.source = source
      self.client = client
      self.casesPerCore = casesPerCore
      self.release = release
    }
  }

  package let catalogue: Catalogue
  package let pack: ProtocolPack
  package let role: Role
  /// Maps the role of each participant to the participant.
  package let subjects: [Role: Subject]
  /// Maps the role of a driven SDK to the package and the files from which it was built.
  package let builds: [Role: SubjectBuild]
  package let clock: ClockMode
  /// The dialects of the driven subject; nil if it supports all dialects.
  package let dialects: [Dialect]?
  let performance: CasePerformance
  private let slots: Int?
  private let casesPerCore: Int
  private let release: @Sendable () async -> Void

  /// The limits for the time and the size of an answer from a subject that the kit calls.
  package static let serverLimits = WireClient.Limits(
    connect: .seconds(5), exchange: .seconds(10), responseBytes: 4 << 20)

  /// The limits for the answers of a subject with this provisioning file. If the file promises a deadline, the time
  /// limit is longer than the deadline, so that the subject can still answer late.
  package static func limits(for provisioning: Provisioning) -> WireClient.Limits {
    var limits = serverLimits
    if let deadline = provisioning.limits.deadline {
      limits.exchange = .milliseconds(deadline.milliseconds) + .seconds(5)
    }
    return limits
  }

  /// Connects the subjects of a role: an adapter with the driver port, and a called subject with the ports at which the
  /// kit calls services.
  ///
  /// - Throws: ``ProgramFailure`` if an adapter is unusable, ``ClockUnavailable`` if an adapter does not support the
  ///   requested clock, ``MissingSubject`` if a port has no subject.
  package static func open(
    _ role: Role, driven command: ProgramCommand?, called: Called?, catalogue: Catalogue, pack: ProtocolPack,
    conditions: RunConditions
  ) async throws -> Testbed {
    let definition = catalogue.definition
    let parts = definition.parts(of: role)
    if let part = parts.driven, command == nil { throw MissingSubject(role: role, part: part, isDriven: true) }
    if let part = parts.called, called == nil { throw MissingSubject(role: role, part: part, isDriven: false) }
    var subjects: [Role: Subject] = [:]
    var builds: [Role: SubjectBuild] = [:]
    var clock = ClockMode.real
    var dialects: [Dialect]?
    var given: Bindings = [:]
    var plugs = CasePerformance.Plugs()
    if let part = parts.driven, let command {
      let driven = try await drive(command, part, catalogue, conditions, mustBeReal: parts.called != nil)
      (subjects[part], clock, plugs.driven) = (driven.subject, driven.clock, driven.pool)
      builds[part] = driven.hello.build
      dialects = driven.hello.dialects
      given["declared"] = .object(driven.hello.declares)
    }
    if let part = parts.called, let called {
      subjects[part] = called.subject
      plugs.called = SlotPool(
        called.source, client: called.client, checks: try CommandChecks(operatorsOf: definition))
    }
    let performance = CasePerformance(
      catalogue: catalogue, makeServer: pack.makeMock, oracle: pack.oracle, subjects: subjects, given: given,
      plugs: plugs, conditions: conditions, pace: Pace(clock))
    let open = plugs
    return Testbed(
      catalogue: catalogue, pack: pack, role: role, subjects: subjects, builds: builds, clock: clock,
      dialects: dialects, performance: performance, slots: plugs.called?.limit,
      casesPerCore: called?.casesPerCore ?? casesPerCore,
      release: {
        await open.driven?.close()
        await open.called?.close()
        await called?.release()
      })
  }

  private static func drive(
    _ command: ProgramCommand, _ role: Role, _ catalogue: Catalogue, _ conditions: RunConditions, mustBeReal: Bool
  ) async throws -> (subject: Subject, hello: AdapterHello, clock: ClockMode, pool: AdapterPool) {
    // The limit is at most half of the limit of a case, so that a hung adapter is reported before the case as a whole
    // ends.
    let limits = AdapterLimits(reply: min(AdapterLimits().reply, conditions.timeLimit / 2))
    let pool = AdapterPool(
      command: command.placed(in: .drawn(by: conditions.seed)), definition: catalogue.definition, kit: conditions.kit,
      limits: limits, checks: try MessageChecks(of: catalogue.definition, role: role),
      abilities: conditions.hostAbilities,
      declared: { catalogue.declaredNames })
    let (hello, subject) = try await pool.meet(seed: conditions.seed)
    // A called subject has no other clock than the real clock.
    let clock = try mustBeReal ? .real : conditions.clock ?? Self.cheapest(of: hello.clocks)
    guard hello.clocks.contains(clock) else {
      await pool.close()
      throw ClockUnavailable(wanted: clock, offered: hello.clocks, isOfCalled: mustBeReal)
    }
    return (subject, hello, clock, pool)
  }

  /// Starts servers in this process, one for each dialect, with the behaviour that `makeServer` returns.
  package static func embedded(
    _ name: String, role: Role, dialects: [Dialect], catalogue: Catalogue, pack: ProtocolPack, kit: String,
    makeServer: @escaping @Sendable (Dialect) -> EmbeddedServer.Behaviour
  ) async throws -> Called {
    let services = catalogue.definition.ports(of: role).downstream
    var servers: [Dialect: ServerUnderTest] = [:]
    var running: [EmbeddedServer] = []
    for dialect in dialects {
      let server = try await EmbeddedServer.start(makeServer(dialect), services: services)
      running.append(server)
      servers[dialect] = ServerUnderTest(
        embedded: server, knowing: pack.serverProvision, commands: catalogue.definition.operatorCommands)
    }
    let (all, stop) = (servers, running)
    return Called(
      subject: Subject(
        name: name, version: kit, capabilities: capabilities(of: Array(all.values), role, catalogue)),
      source: .shared { all[$0] }, casesPerCore: casesPerCoreEmbedded,
      release: { for server in stop { await server.stop() } })
  }

  /// The capabilities that every one of these servers has.
  package static func capabilities(of servers: [ServerUnderTest], _ role: Role, _ catalogue: Catalogue) -> [String] {
    let each = servers.map { Set($0.capabilities(in: catalogue, role: role)) }
    return catalogue.definition.capabilities(of: role).filter { name in each.allSatisfy { $0.contains(name) } }
  }

  /// The runner that performs a plan with these subjects.
  package func runner(for plan: Plan, by settlement: Settlement, jobs: Int) -> Runner {
    Runner(
      plan: plan.fitted(to: Array(subjects.values), speaking: dialects).bearable(performance.reality),
      performance: performance,
      judge: Judge(catalogue: catalogue, checks: pack.checks), settlement: settlement,
      jobs: jobs)
  }

  /// The number of cases that run at the same time. If the subject has slots, it is their number, since a slot serves
  /// one case at a time. Otherwise, it is larger than the number of cores: with a running clock much larger, because
  /// most cases only wait.
  package func jobs(cores: Int) -> Int { slots ?? cores * (clock == .virtual ? 4 : casesPerCore) }

  /// The number of cases for each core, with a running clock.
  package static let casesPerCore = 32

  /// The number of cases for each core if an embedded server is called. It is higher than usual, because a case then
  /// needs no process.
  private static let casesPerCoreEmbedded = 256

  /// Releases the subjects: ends their processes and everything that was started for them.
  package func close() async { await release() }

  private static func cheapest(of offered: [ClockMode]) throws -> ClockMode {
    guard let clock = ClockMode.allCases.first(where: offered.contains) else {
      throw ClockUnavailable(wanted: .real, offered: offered)
    }
    return clock
  }
}

/// The error if the adapter does not support the requested clock.
package struct ClockUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  package var wanted: ClockMode
  package var offered: [ClockMode]
  /// Whether the real clock was requested because the role has a called subject, for which the kit cannot set the
  /// clock.
  package var isOfCalled = false

  package var description: String {
    let known = offered.map(\.rawValue).joined(separator: ", ")
    let advice =
      isOfCalled
      ? "the kit cannot set the clock of the subject that is called besides it"
      : "choose one of these with --clock, or none"
    return "the adapter offers no \(wanted.rawValue) clock, only: \(known); \(advice)"
  }
}

/// The error if a role needs an adapter or a called subject, and the command line does not name it.
package struct MissingSubject: Error, Hashable, Sendable, CustomStringConvertible {
  package var role: Role
  package var part: Role
  package var isDriven: Bool

  package var description: String {
    let how =
      isDriven
      ? "an adapter: give its command with --sdk"
      : "a subject to call: give it with --server, --backend or a binding file"
    return "the role '\(role)' needs \(how)"
  }
}

extension MessageChecks {
  /// Checks for the messages of an adapter: results must fit the schemas of their commands, and errors must have one of
  /// the protocol's error kinds.
  init(of definition: ProtocolDefinition, role: Role) throws {
    var schemas: [String: JSONSchema] = [:]
    for command in definition.commands(of: role) { schemas[command.name] = try JSONSchema(command.result) }
    self.init(errorKinds: Set(definition.errorKinds)) { [schemas] command, value in
      schemas[command]?.validate(value) ?? []
    }
  }
}
