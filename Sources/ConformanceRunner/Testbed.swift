import ConformanceBench
import ConformanceJudge
import ConformanceModel
import ConformanceWire
import JSONKit

/// A subject of one role, plugged in and ready to be run against plans.
package struct Testbed: Sendable {
  /// What is the same for every subject of a run.
  package struct Conditions: Sendable {
    package var kit: String
    package var seed: UInt64
    /// The clock that is asked for; nil for the cheapest that the subject offers.
    package var clock: ClockMode?
    /// How long a case may take in reality.
    package var timeLimit: Duration
    package var redaction: Redaction

    package init(
      kit: String, seed: UInt64 = 1, clock: ClockMode? = nil, timeLimit: Duration = .seconds(60),
      redaction: Redaction = Redaction()
    ) {
      self.kit = kit
      self.seed = seed
      self.clock = clock
      self.timeLimit = timeLimit
      self.redaction = redaction
    }
  }

  package let catalogue: Catalogue
  package let pack: ProtocolPack
  package let role: Role
  package let subject: Subject
  package let clock: ClockMode
  let performance: CasePerformance
  private let release: @Sendable () async -> Void

  /// Plugs in an SDK: starts its adapter, asks who it is, and probes it.
  ///
  /// - Throws: ``AdapterFailure`` when it cannot be worked with, ``ClockUnavailable`` when it lacks the clock asked for.
  package static func sdk(
    _ command: AdapterCommand, catalogue: Catalogue, pack: ProtocolPack, conditions: Conditions
  ) async throws -> Testbed {
    // Half of what a case may take: a command that never returns is then named, before the case as a whole is given up.
    let limits = AdapterLimits(reply: conditions.timeLimit / 2)
    let pool = AdapterPool(
      command: command, definition: catalogue.definition, kit: conditions.kit, limits: limits,
      checks: try MessageChecks(of: catalogue.definition))
    let (hello, subject) = try await pool.meet(seed: conditions.seed)
    let clock = try conditions.clock ?? Self.cheapest(of: hello.clocks)
    guard hello.clocks.contains(clock) else {
      await pool.close()
      throw ClockUnavailable(wanted: clock, offered: hello.clocks)
    }
    let performance = CasePerformance(
      catalogue: catalogue, makeServer: { pack.makeServer($0, $1, []) }, subject: subject, plug: .sdk(pool),
      conditions: .init(
        kit: conditions.kit, clock: clock, seed: conditions.seed, timeLimit: conditions.timeLimit,
        redaction: conditions.redaction))
    return Testbed(
      catalogue: catalogue, pack: pack, role: .sdk, subject: subject, clock: clock, performance: performance,
      release: { await pool.close() })
  }

  /// How long a server under test may take to answer, and how much it may say.
  package static let serverLimits = WireClient.Limits(
    connect: .seconds(5), exchange: .seconds(10), responseBytes: 4 << 20)

  /// Plugs in servers, one for each dialect that it is to be judged in.
  package static func servers(
    _ servers: [Dialect: ServerUnderTest], client: WireClient = WireClient(limits: serverLimits), subject: Subject,
    catalogue: Catalogue,
    pack: ProtocolPack, conditions: Conditions, release: @escaping @Sendable () async -> Void = {}
  ) throws -> Testbed {
    var subject = subject
    subject.capabilities = catalogue.definition.capabilities(of: .server).filter { name in
      servers.values.allSatisfy { $0.capabilities(in: catalogue.definition).contains(name) }
    }
    let performance = CasePerformance(
      catalogue: catalogue, makeServer: { pack.makeServer($0, $1, []) }, subject: subject,
      plug: .server({ servers[$0] }, client, try CommandChecks(of: catalogue.definition, role: .server)),
      conditions: .init(
        kit: conditions.kit, clock: .real, seed: conditions.seed, timeLimit: conditions.timeLimit,
        redaction: conditions.redaction))
    return Testbed(
      catalogue: catalogue, pack: pack, role: .server, subject: subject, clock: .real, performance: performance,
      release: release)
  }

  /// Starts a server model on a port of its own for each dialect, and plugs them in.
  package static func embedded(
    _ name: String, dialects: [Dialect], catalogue: Catalogue, pack: ProtocolPack, conditions: Conditions,
    makeServer: @escaping @Sendable (Dialect) -> EmbeddedServer.Behaviour
  ) async throws -> Testbed {
    var servers: [Dialect: ServerUnderTest] = [:]
    var running: [EmbeddedServer] = []
    for dialect in dialects {
      let server = try await EmbeddedServer.start(makeServer(dialect))
      running.append(server)
      servers[dialect] = ServerUnderTest(
        embedded: server, knowing: pack.serverProvision, commands: catalogue.definition.commands(of: .server))
    }
    let stop = running
    return try .servers(
      servers, subject: Subject(name: name, version: conditions.kit), catalogue: catalogue, pack: pack,
      conditions: conditions,
      release: { for server in stop { await server.stop() } })
  }

  /// The runner that performs a plan with this subject.
  package func runner(for plan: Plan, gate: Gate, jobs: Int) -> Runner {
    Runner(
      plan: plan, performance: performance, judge: Judge(catalogue: catalogue, checks: pack.checks), gate: gate,
      jobs: jobs)
  }

  /// How many cases should run at once: while a clock runs most of them wait, so there are many more than cores.
  package func jobs(cores: Int) -> Int { cores * (clock == .virtual ? 4 : 32) }

  /// Lets go of the subject: ends its processes, closes what was started for it.
  package func close() async { await release() }

  private static func cheapest(of offered: [ClockMode]) throws -> ClockMode {
    guard let clock = ClockMode.allCases.first(where: offered.contains) else {
      throw ClockUnavailable(wanted: .real, offered: offered)
    }
    return clock
  }
}

/// A clock that was asked for and that the adapter does not offer.
package struct ClockUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  package var wanted: ClockMode
  package var offered: [ClockMode]

  package var description: String {
    let known = offered.map(\.rawValue).joined(separator: ", ")
    return "the adapter offers no \(wanted.rawValue) clock, only: \(known); choose one of these with --clock, or none"
  }
}

extension MessageChecks {
  /// What a protocol demands of results, by the schemas of its commands, and of errors, by their kinds.
  init(of definition: ProtocolDefinition) throws {
    var schemas: [String: JSONSchema] = [:]
    for command in definition.commands(of: .sdk) { schemas[command.name] = try JSONSchema(command.result) }
    self.init(errorKinds: Set(definition.errorKinds)) { [schemas] command, value in
      schemas[command]?.validate(value) ?? []
    }
  }
}
