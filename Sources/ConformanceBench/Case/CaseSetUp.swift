import Adapters
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import MockServices
import NIOCore
import Processes
import Recording
import ServerRules
import Subjects
import Templates

/// Creates the ports of one case, which connect its subjects with the recorder.
struct CaseSetUp {
  let performance: CasePerformance
  let testCase: Case
  let scenario: Case.Scenario
  let clock: CaseClock
  /// The event loop of the mock servers, and usually of the steps of the case.
  let loop: any EventLoop
  let recorder: Recorder
  let watchdog: Watchdog

  private var catalogue: Catalogue { performance.catalogue }
  private var conditions: RunConditions { performance.conditions }
  private var plugs: CasePerformance.Plugs { performance.plugs }

  private func draw(_ header: TranscriptHeader) -> CaseDraw { CaseDraw(header.instance, seed: conditions.seed) }

  /// Opens a port for each service that the case uses, unless the called subject already has a port for the service.
  /// All ports use the same event loop, so that one task on the loop can read every request that has arrived.
  func openPorts(besides known: [UpstreamPort]) async throws -> [UpstreamPort] {
    var ports: [UpstreamPort] = []
    let place = conditions.mocks
    // A case that is about a special host name keeps the name.
    let host = performance.host == UpstreamPort.loopback ? place.host : performance.host
    for service in catalogue.definition.ports(of: testCase.role).upstream
    where testCase.services.contains(service) && !known.contains(where: { $0.service == service }) {
      let tls = testCase.tls.contains(service) ? try conditions.tlsOfServers() : nil
      let index = catalogue.definition.services.firstIndex { $0.name == service } ?? 0
      ports.append(
        try await UpstreamPort.open(
          service, host: host, tls: tls, address: place.address, port: place.port(of: index), clock: clock.wire,
          on: loop))
    }
    return ports
  }

  func makeMock(
    _ header: TranscriptHeader, _ ports: [UpstreamPort], _ slot: Slot?, _ clients: ClientAddresses
  ) -> Mock {
    let dialect = header.instance.dialect
    let table = performance.tables[dialect] ?? ExchangeTable(catalogue.exchanges, dialect: dialect)
    var server = performance.makeServer(dialect, draw(header).seed)
    let relay = makeRelay(slot, clients, dialect)
    // A lenient mock answers requests to nearly right paths. A real server may refuse them.
    let book = ExchangeBook(
      table, exchanges: catalogue.exchanges, mount: testCase.mount, isLenient: server.isLenient && relay == nil)
    server.lend(slot?.server.values ?? [:])
    let model = MockModel(book: book, catalogue: catalogue, dialect: dialect, server: server)
    return Mock(
      model: model, ports: ports, clock: clock, epoch: header.epoch, recorder: recorder, bender: conditions.bender,
      wire: wire(from: conditions.wire, to: catalogue.exchanges, in: dialect), relay: relay)
  }

  /// The relay between an SDK and a server that are under test together; nil if the kit plays the SDK or the server.
  private func makeRelay(_ slot: Slot?, _ clients: ClientAddresses, _ dialect: Dialect) -> Relay? {
    guard let slot, slot.ports.isEmpty, plugs.driven != nil, let called = plugs.called else { return nil }
    let judgesServer = catalogue.definition.isPair(testCase.role)
    return Relay(
      to: slot.server, through: called.client, clients: clients,
      expecting: judgesServer ? nil : .init(dialect, models: catalogue.models), bender: conditions.bender)
  }

  /// Converts requests of the exchanges `spoken` into requests of the exchanges `known`, and converts answers in the
  /// opposite direction. Nil if the subject has no wire profile of its own.
  private func wire(from spoken: [Exchange], to known: [Exchange], in dialect: Dialect) -> WireProfile? {
    guard !conditions.wire.isEmpty else { return nil }
    return WireProfile(known, spokenAs: spoken, dialect: dialect, models: catalogue.models)
  }

  /// The driver of an SDK, which gets the certificate and the addresses of the case's ports; nil if the case drives no
  /// SDK.
  func makeDriver(
    _ header: TranscriptHeader, _ storage: StorageFolder, _ mock: Mock, _ own: [UpstreamPort]
  ) -> Driver? {
    let secured = own.filter(\.speaksTLS)
    return plugs.driven.map { pool in
      let launch = Driver.Launch(
        storage: storage, hasFiles: pool.hasFiles, clock: performance.pace.clock,
        scale: performance.pace.clock == .scaled ? performance.pace.scale : 1,
        epoch: header.epoch, seed: draw(header).seed, environment: scenario.environment,
        dialect: pool.choosesDialects ? header.instance.dialect : nil,
        trust: secured.isEmpty ? nil : conditions.tls?.authority,
        hosts: Dictionary(secured.map { ($0.host, conditions.mocks.host) }) { first, _ in first })
      return Driver(
        pool: pool, launch: launch, recorder: recorder, bender: conditions.bender, clock: clock,
        loop: performance.isPlayedOnLoop ? loop : nil, inbox: AdapterInbox(on: loop) { mock.readDry(on: loop) })
    }
  }

  /// The port through which the kit calls the subject; nil if the case calls no subject.
  func makeDownstream(_ slot: Slot, _ mock: Mock, in dialect: Dialect) -> Downstream? {
    plugs.called.map { pool in
      Downstream(
        server: slot.server, client: pool.client, recorder: recorder, bender: conditions.bender,
        wire: wire(from: catalogue.exchanges, to: conditions.wire, in: dialect), clock: clock
      ) { await mock.readDry() }
    }
  }

  func makePacer(_ slot: Slot?, _ mock: Mock, _ driver: Driver?, _ called: Downstream?) -> Pacer {
    // The interval is a quarter of the time limit of a case, and a reply may take half of the limit. So a subject that
    // hangs is reported before the case as a whole is given up.
    let interval = conditions.timeLimit / 4
    let life = Pacer.SignsOfLife(
      interval: performance.pace.logical(interval), ask: { await driver?.ping() ?? false },
      seen: { [watchdog] in watchdog.allow(interval) })
    return Pacer(
      recorder: recorder, clock: clock, ask: { driver?.ask($0) }, noticeDepartures: { await mock.noticeDepartures() },
      readAnswers: { await called?.readDry() }, life: life, retryWindow: retryWindow(slot))
  }

  /// The longest pause that a subject of the case makes before a retry; nil if a subject does not declare this pause.
  private func retryWindow(_ slot: Slot?) -> LogicalTime? {
    var windows: [LogicalTime?] = []
    if let driven = plugs.driven { windows.append(driven.hello?.retryWindow) }
    // A server that calls no other server has no requests to repeat.
    if let slot, !slot.ports.isEmpty { windows.append(slot.server.limits.retryWindow) }
    return Stillness.retryWindow(of: windows)
  }

  func makePorts(
    _ header: TranscriptHeader, _ slot: Slot?, _ mock: Mock, _ driver: Driver?, _ called: Downstream?, _ pacer: Pacer,
    _ clients: ClientAddresses
  ) -> CasePorts {
    let provisioner = plugs.called.flatMap { pool in
      slot.map { Provisioner(hooks: $0.server.hooks, checks: pool.checks, recorder: recorder) }
    }
    return CasePorts(
      catalogue: catalogue, header: header, recorder: recorder, pacer: pacer, mock: mock, driven: driver,
      called: called, provisioner: provisioner,
      given: header.bindings.merging(called?.server.bindings ?? [:]).merging(mock.bindings), clients: clients,
      oracle: performance.oracle,
      seed: conditions.seed, wait: conditions.pause, watchdog: watchdog,
      replyLimit: scenario.replyLimit(in: catalogue.definition))
  }
}
