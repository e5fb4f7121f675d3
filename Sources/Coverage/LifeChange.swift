import ConformanceModel
import JSONKit

/// A change in the life of an app, after one act of the app and before the next.
package enum LifeChange: String, CaseIterable, Sendable {
  case device, user, network, clock, foreground
  case signIn = "sign-in"
  case link, retry, restart, kill, update, process

  package var text: String {
    switch self {
    case .device: "a fact about the device changes, such as the language"
    case .user: "the app sets another user id"
    case .network: "the network goes or comes back"
    case .clock: "the wall clock jumps"
    case .foreground: "the app goes to the background or comes back"
    case .signIn: "a user signs in, signs out or is created"
    case .link: "another link opens the app"
    case .retry: "a request fails and waits for its next attempt"
    case .restart: "the app ends cleanly and starts again"
    case .kill: "the app is killed and starts again"
    case .update: "the app is updated"
    case .process: "another process or instance uses the SDK"
    }
  }

  var heading: String {
    switch self {
    case .device: "dev"
    case .network: "net"
    case .clock: "clk"
    case .foreground: "fore"
    case .signIn: "sign"
    case .restart: "end"
    case .update: "upd"
    case .process: "proc"
    default: rawValue
    }
  }
}

extension LifeChange {
  /// The changes that steps can make in one protocol. They are recognised by the texts of the protocol's facts and
  /// commands.
  struct Kinds {
    private let facts: [String: LifeChange]
    private let commands: [String: LifeChange]
    /// The changes that are possible in the protocol.
    let known: Set<LifeChange>

    init(_ definition: ProtocolDefinition) {
      let offline = Set(definition.moments.offline.flatMap { $0.source.object?.members.map(\.key) ?? [] })
      facts = Dictionary(
        definition.surroundings.map { ($0.name, offline.contains($0.name) ? .network : Self.change(ofFact: $0.text)) }
      ) { first, _ in first }
      let driven = definition.drivenRoles
      commands = Dictionary(
        definition.commands.filter { $0.roles.contains(where: driven.contains) }.compactMap { command in
          Self.change(ofCommand: command.text).map { (command.name, $0) }
        }
      ) { first, _ in first }
      let isClient = driven.contains { !definition.ports(of: $0).upstream.isEmpty }
      known = Set(facts.values).union(commands.values).union([.restart, .kill]).union(
        isClient ? [.network, .retry] : [])
    }

    private static func change(ofFact text: String) -> LifeChange {
      if text.contains(/\bclock\b/) { return .clock }
      if text.contains(/foreground|focus/) { return .foreground }
      if text.contains(/version of the app|as its own/) { return .update }
      return text.contains(/URL that started/) ? .link : .device
    }

    private static func change(ofCommand text: String) -> LifeChange? {
      if text.contains(/^Signs |^Creates a user|^Links the |creates its user|^Removes the user/) { return .signIn }
      if text.contains(/^Sets .*user id/) { return .user }
      if text.contains(/(URL|link) that opened|deliver a URL/) { return .link }
      if text.contains(/^Sets facts about the device/) { return .device }
      if text.contains(/went offline/) { return .network }
      if text.contains(/older version/) { return .update }
      return text.contains(/instance again|another process/) ? .process : nil
    }

    func changes(by call: Step.Call) -> Set<LifeChange> {
      guard let change = commands[call.command] else { return [] }
      // A command for facts about the device may also set the version of the app.
      return change == .device ? Set(call.params.source.keys.compactMap { facts[$0] }) : [change]
    }

    func changes(by action: Step.Action) -> Set<LifeChange> {
      switch action {
      case .surroundings(let given): Set(given.source.keys.compactMap { facts[$0] })
      case .restart(let restart) where restart.keepsStorage:
        Set(restart.environment.source.keys.compactMap { facts[$0] }).union([
          restart.ending == .kill ? .kill : .restart
        ])
      case .fault(let fault): fault.kind == .refuse ? [.network] : []
      default: []
      }
    }
  }
}

extension JSON {
  fileprivate var keys: [String] { object?.keys ?? [] }
}
