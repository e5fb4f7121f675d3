import Concurrency
import ConformanceModel
import ConformanceProvisioning
import ConformanceRunner
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Subjects
import Templates

/// A no-op server or backend. A requirement that such a subject passes is not really tested.
package struct IdleServer: Sendable {
  /// The kind of a no-op server.
  package enum Kind: String, CaseIterable, Sendable {
    /// Answers each request with 404.
    case null
    /// Answers each request with the same empty object.
    case constant
    /// Answers each request with its own body.
    case echo
    /// Ends every connection without an answer.
    case hangUp = "hang-up"
    /// Answers each request with 500.
    case refusing
    /// Answers each request with a JSON body. The body contains an invented text at each path that the binding file
    /// lists under `answers`.
    case lying
    /// Uses the golden exchanges without state. A server answers with golden responses. A backend answers like a
    /// ``lying`` backend. For every request that the backend receives, it sends each golden request to the services
    /// that it should call.
    case canned
  }

  package var kind: Kind
  /// The provisioning of the server: the requests for it, and the paths of values in its answers.
  package var lent: Provisioning
  /// The number of slots of a backend, each with its own port and its own addresses of the kit's services.
  private static let slots = 32

  /// `like` is the provisioning of a conforming subject. If it is nil, a provisioning is invented from the protocol,
  /// with a value for each name and a request for each exchange that the protocol leaves open.
  package init(_ kind: Kind, like lent: Provisioning?, in catalogue: Catalogue) {
    self.kind = kind
    self.lent = lent ?? Provisioning(madeUpFor: catalogue)
    // The kit neither starts nor probes a no-op server.
    (self.lent.start, self.lent.probe, self.lent.trust, self.lent.urls) = (nil, nil, nil, [:])
  }

  /// The behaviour as a server in a dialect.
  package func behaviour(in dialect: Dialect, _ catalogue: Catalogue) -> EmbeddedServer.Behaviour {
    kind == .canned
      ? .model(CannedServer(catalogue, dialect: dialect, values: lent.values))
      : plainBehaviour
  }

  /// The behaviour of a kind of server that does not look at the exchange of a request.
  var plainBehaviour: EmbeddedServer.Behaviour {
    switch kind {
    case .null: .constant(HTTPResponse(status: 404))
    case .constant: .constant(.json(200, .object([:])))
    case .echo: .echo
    case .hangUp: .hangUp
    case .refusing: .constant(.json(500, ["error": "refused"]))
    case .lying, .canned: .constant(.json(200, lie))
    }
  }

  /// The body of all answers of a lying server, with a text at each path in `answers` of the provisioning.
  private var lie: JSON {
    lent.answers.values.flatMap(\.values).sorted { $0.description < $1.description }.reduce(.object([:])) {
      body, path in
      // `$.body.code` and `$.code` refer to the same value.
      let inside = path.steps.first == .key("body") ? JSONPath(Array(path.steps.dropFirst())) : path
      return body.setting("constant", at: inside)
    }
  }

  /// A backend of this kind, as a subject. Each slot has its own ports of the kit, at which only canned calls arrive.
  package func asBackend(
    of role: Role, named name: String, kit: String, in catalogue: Catalogue
  ) async throws -> Testbed.Called {
    let client = WireClient(limits: Testbed.limits(for: lent))
    let calls = CannedCalls(cannedRequests(of: role, in: catalogue), client: client)
    let services = catalogue.definition.ports(of: role).downstream
    let running = LockedValue<[EmbeddedServer]>([])
    // The port of a request identifies the ports of the kit that the backend has to call, so each slot has a server.
    let make: @Sendable () async throws -> Slot = {
      let upstream = LockedValue<[ServiceName: String]>([:])
      let server = try await EmbeddedServer.start(
        plainBehaviour, services: services, hooks: .init(hold: { _ in calls.send(to: upstream.value) }))
      running.change { $0.append(server) }
      let slot = try await SlotMaker(
        catalogue: catalogue, role: role, provisioning: lent, urls: server.urls, folder: ".", client: client
      ).make()
      upstream.change { $0 = slot.upstreamURLs }
      return slot
    }
    let like = try ServerUnderTest(urls: [:], provisioning: lent, folder: ".", client: client)
    return Testbed.Called(
      subject: Subject(name: name, version: kit, capabilities: Testbed.capabilities(of: [like], role, catalogue)),
      source: .slots(count: Self.slots, make: make), client: client,
      release: { for server in running.value { await server.stop() } })
  }

  /// The requests of a canned backend, with provisioned values such as its key; empty for any other kind.
  private func cannedRequests(of role: Role, in catalogue: Catalogue) -> [IdleSDK.Canned] {
    guard kind == .canned else { return [] }
    let called = catalogue.definition.ports(of: role).upstream
    return catalogue.exchanges.filter { called.contains($0.service) }.flatMap {
      IdleSDK.Canned.all(of: $0, lending: lent.values, models: catalogue.models)
    }
  }
}

extension Provisioning {
  /// An invented provisioning. Every value is a text. Every exchange that the protocol leaves open is a `POST` to the
  /// path `/NAME`, with the exchange's holes as members of the body.
  fileprivate init(madeUpFor catalogue: Catalogue) {
    self.init()
    for value in catalogue.definition.values { values[value.name] = .string("made-up-\(value.name)") }
    for exchange in catalogue.exchanges {
      guard let holes = exchange.boundHoles else { continue }
      requests[exchange.name] = Exchange.Request(
        method: "POST", path: Template(.literal(.string("/\(exchange.name)"))),
        body: Template(.object(holes.map { .init(key: $0, isOptional: true, value: .hole(.init(name: $0))) })))
    }
  }
}
