import ConformanceBench
import ConformanceModel
import ConformanceWire
import JSONKit

/// Something that only looks like a server, or like a backend, and calls nobody: what it passes proves nothing.
package struct IdleServer: Sendable {
  /// How it does nothing.
  package enum Kind: String, CaseIterable, Sendable {
    /// Has nothing: each answer is a 404.
    case null
    /// Answers each request with the same empty object.
    case constant
    /// Answers each request with its own body.
    case echo
    /// Ends every connection without an answer.
    case hangUp = "hang-up"
    /// Refuses each request: 500.
    case refusing
    /// Answers each request with a text wherever a binding file says that an answer has something to tell.
    case lying
    /// Says what the golden exchanges say and keeps nothing: a server answers with them, and a backend, which answers as
    /// one that is ``lying``, sends the services that it should call each golden request whenever it is asked.
    case canned
  }

  package var kind: Kind
  /// How it is asked, and where its answers have what cases look for.
  package var lent: Provisioning
  /// How many cases are about it at once, where it is one that is told who plays the services that it calls.
  private static let slots = 32

  /// - Parameter lent: what is known of an honest subject of its kind. Nil makes it up from the protocol: a value for
  ///   each name, and a request for each exchange that the protocol leaves open.
  package init(_ kind: Kind, like lent: Provisioning?, in catalogue: Catalogue) {
    self.kind = kind
    self.lent = lent ?? Provisioning(madeUpFor: catalogue)
    // Nobody starts it, and it would call nobody when it is asked.
    (self.lent.start, self.lent.probe, self.lent.trust, self.lent.urls) = (nil, nil, nil, [:])
  }

  /// As a server that is asked in a dialect.
  package func behaviour(in dialect: Dialect, _ catalogue: Catalogue) -> EmbeddedServer.Behaviour {
    kind == .canned
      ? .model(CannedServer(catalogue, dialect: dialect, values: lent.values))
      : plainBehaviour
  }

  /// As one that knows no exchange.
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

  /// One body for all answers.
  private var lie: JSON {
    lent.answers.values.flatMap(\.values).sorted { $0.description < $1.description }.reduce(.object([:])) {
      body, path in
      // `$.body.code` and `$.code` mean the same.
      let inside = path.steps.first == .key("body") ? JSONPath(Array(path.steps.dropFirst())) : path
      return body.setting("constant", at: inside)
    }
  }

  /// In the place of a backend: each case that it is asked in has ports of its own, at which nothing will arrive.
  package func asBackend(
    of role: Role, named name: String, kit: String, in catalogue: Catalogue
  ) async throws -> Testbed.Called {
    let client = WireClient(limits: Testbed.limits(for: lent))
    let calls = CannedCalls(cannedRequests(of: role, in: catalogue), client: client)
    let services = catalogue.definition.ports(of: role).downstream
    let running = LockedValue<[EmbeddedServer]>([])
    // Which of the kit's ports it would call is told by the port at which it is asked, so each slot has a server.
    let make: @Sendable () async throws -> Slot = {
      let upstream = LockedValue<[ServiceName: String]>([:])
      let server = try await EmbeddedServer.start(
        plainBehaviour, services: services, hold: { _ in calls.send(to: upstream.value) })
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

  /// What one that is canned sends: with the values that it was lent, such as its key.
  private func cannedRequests(of role: Role, in catalogue: Catalogue) -> [IdleSDK.Canned] {
    guard kind == .canned else { return [] }
    let called = catalogue.definition.ports(of: role).upstream
    return catalogue.exchanges.filter { called.contains($0.service) }.flatMap {
      IdleSDK.Canned.all(of: $0, lending: lent.values, models: catalogue.models)
    }
  }
}

extension Provisioning {
  /// What somebody would lend who has nothing but the protocol: every value is a text, and every exchange whose request is
  /// left open is a `POST` at its name, with its holes as members.
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
