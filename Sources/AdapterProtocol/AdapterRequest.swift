import ConformanceModel
import JSONKit
import Templates

/// A command for an adapter: a command of the tested protocol, or a command that every adapter supports.
package struct AdapterRequest: Hashable, Sendable {
  package var method: String
  package var params: JSON.Object

  package init(_ method: String, params: JSON.Object = [:]) {
    self.method = method
    self.params = params
  }
}

extension AdapterRequest {
  /// The version of the adapter protocol that the kit uses.
  package static let protocolVersion = 1

  /// Asks for the identity of the adapter. The answer is an ``AdapterHello``.
  package static func hello(kit: String, protocolName: String) -> AdapterRequest {
    AdapterRequest(
      BaseCommand.hello.rawValue,
      params: [
        "protocolVersion": .int(protocolVersion), "kit": .string(kit), "protocol": .string(protocolName),
      ])
  }

  /// Starts the app.
  package static func launch(_ launch: AdapterLaunch) -> AdapterRequest {
    AdapterRequest(BaseCommand.launch.rawValue, params: launch.params)
  }

  /// Moves the app's clock to this time after the launch. The answer, an ``AdvanceReply``, comes once the app waits
  /// only for timers and for at most `inFlight` HTTP requests.
  package static func advance(to time: LogicalTime, inFlight: Int) -> AdapterRequest {
    AdapterRequest(BaseCommand.advance.rawValue, params: AdapterAdvance(to: time, inFlight: inFlight).params)
  }

  /// The command that changes the app's surroundings. The step `surroundings` of a case sends it. Every adapter has
  /// this command, so no `protocol.yaml` defines it.
  package static let surroundings = BaseCommand.surroundings.rawValue

  /// Asks whether the adapter is alive.
  package static let ping = AdapterRequest(BaseCommand.ping.rawValue)
  /// Ends the app.
  package static let quit = AdapterRequest(BaseCommand.quit.rawValue)
  /// Ends the process.
  package static let shutdown = AdapterRequest(BaseCommand.shutdown.rawValue)
}

/// The parameters of an app's start.
package struct AdapterLaunch: Hashable, Sendable {
  /// The folder for everything that the SDK persists. The kit has created it.
  package var storage: String
  package var clock: ClockMode
  /// The wall clock at the start in milliseconds since 1970.
  package var epoch: Int
  /// With ``ClockMode/scaled``, the app's timers run faster by this factor.
  package var scale: Int
  package var seed: UInt64
  package var environment: JSON.Object
  /// The dialect that the app is set up for. It is nil if the SDK supports at most one dialect, or supports every
  /// dialect without configuration.
  package var dialect: Dialect?
  /// The certificate, in PEM, of an authority that the app must trust in addition to the authorities of the system; nil
  /// if no service uses TLS.
  package var trust: String?
  /// Maps host names to addresses. The app uses these addresses and does not ask the system for them.
  package var hosts: [String: String]

  package init(
    storage: String, clock: ClockMode, epoch: Int, scale: Int = 1, seed: UInt64 = 0, environment: JSON.Object = [:],
    dialect: Dialect? = nil, trust: String? = nil, hosts: [String: String] = [:]
  ) {
    self.storage = storage
    self.clock = clock
    self.epoch = epoch
    self.scale = scale
    self.seed = seed
    self.environment = environment
    self.dialect = dialect
    self.trust = trust
    self.hosts = hosts
  }

  /// The parameters of `launch`. The seed is cut to 53 bits, the precision of a JavaScript number.
  var params: JSON.Object {
    let clock: JSON = ["mode": .string(clock.rawValue), "epoch": .int(epoch), "scale": .int(scale)]
    var params: JSON.Object = [
      "storage": .string(storage), "clock": clock, "seed": .int(Int(seed & (1 << 53 - 1))),
      "environment": .object(environment),
    ]
    if let dialect { params["dialect"] = .string(dialect.rawValue) }
    if let trust { params["trust"] = .string(trust) }
    if !hosts.isEmpty {
      var addresses: JSON.Object = [:]
      for (name, address) in hosts.sorted(by: { $0.key < $1.key }) { addresses[name] = .string(address) }
      params["hosts"] = .object(addresses)
    }
    return params
  }

  /// Reads the parameters of `launch`.
  package init(_ params: JSONField) throws(JSONField.Problem) {
    let clock = try params.required("clock")
    var hosts: [String: String] = [:]
    if let given = params.optional("hosts") {
      for member in given.value.object?.members ?? [] {
        hosts[member.key] = try given.required(member.key).string()
      }
    }
    self.init(
      storage: try params.required("storage").string(), clock: try clock.required("mode").word(ClockMode.self),
      epoch: try clock.required("epoch").int(), scale: try clock.optional("scale")?.int() ?? 1,
      seed: UInt64(max(0, try params.optional("seed")?.int() ?? 0)),
      environment: params.optional("environment")?.value.object ?? [:],
      dialect: (try params.optional("dialect")?.string()).map { Dialect($0) },
      trust: try params.optional("trust")?.string(), hosts: hosts)
  }
}

/// The parameters of `advance`: the time to move to, and the condition for the answer.
package struct AdapterAdvance: Hashable, Sendable {
  /// The time since the launch.
  package var to: LogicalTime
  /// The number of HTTP requests that may be outstanding when the app answers.
  package var inFlight: Int

  package init(to: LogicalTime, inFlight: Int) {
    self.to = to
    self.inFlight = inFlight
  }

  /// The parameters of `advance`.
  var params: JSON.Object {
    ["to": JSON.Number(to.milliseconds).map(JSON.number) ?? .null, "inFlight": .int(inFlight)]
  }

  /// Reads the parameters of `advance`.
  package init(_ params: JSONField) throws(JSONField.Problem) {
    to = .milliseconds(try params.required("to").double())
    inFlight = try params.required("inFlight").int()
  }
}

/// The answer to `advance`.
package struct AdvanceReply: Hashable, Sendable, JSONRepresentable {
  /// The time of the earliest timer, counted from the launch; nil without a timer.
  package var next: LogicalTime?

  package init(next: LogicalTime?) { self.next = next }

  package var representation: JSON {
    ["next": next.flatMap { JSON.Number($0.milliseconds) }.map(JSON.number) ?? .null]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    let member = try field.required("next")
    next = member.value.isNull ? nil : .milliseconds(try member.double())
  }
}

/// The commands that every adapter must support.
package enum BaseCommand: String, CaseIterable {
  case hello, launch, advance, surroundings, ping, quit, shutdown

  /// The problems in the result of this command. For `hello` the list is always empty, because the handshake checks
  /// that result.
  package func problems(in result: JSON) -> [JSONField.Problem] {
    let field = JSONField(result)
    switch self {
    case .hello: return []
    case .launch, .surroundings, .ping, .quit, .shutdown: return result.isNull ? [] : [field.problem(expected: "null")]
    case .advance:
      do { _ = try AdvanceReply(field) } catch { return [error] }
      return []
    }
  }
}
