import AdapterProtocol
import ConformanceTranscript
import ConformanceWire
import JSONKit
import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Answers the kit's commands. All its work is on the host's event loop.
final class CommandDispatcher {
  private let hello: AdapterHello
  private let knownCommands: Set<String>?
  private let tls: (any ClientTLS)?
  private let loop: any EventLoop
  private let output = Output()
  private let makeApp: @Sendable (AdapterLaunch, any AppSurroundings) throws -> any HostedApp
  private var world: AppWorld?
  private var app: (any HostedApp)?
  /// Maps the number of each command that the app has not answered to the id of this command. The commands are numbered
  /// in the order of arrival.
  private var open: [Int: Int] = [:]
  private var lastCommand = 0

  init(
    hello: AdapterHello, knownCommands: Set<String>?, tls: (any ClientTLS)?, loop: any EventLoop,
    makeApp: @escaping @Sendable (AdapterLaunch, any AppSurroundings) throws -> any HostedApp
  ) {
    self.hello = hello
    self.knownCommands = knownCommands
    self.tls = tls
    self.loop = loop
    self.makeApp = makeApp
  }

  /// Performs commands that arrived together, and writes their replies together.
  func take(_ lines: some Sequence<[UInt8]>) {
    output.together { for line in lines { take(line) } }
  }

  private func take(_ line: [UInt8]) {
    guard case .request(let id, let method, let params)? = try? RPCMessage(line: line) else {
      let problem = RPCError(code: RPCError.invalidRequest, message: "not a request of the adapter protocol")
      return output.write(.refusal(problem))
    }
    // The replies are written before the app runs, since the app may end the process.
    if BaseCommand(rawValue: method)?.leavesAppAlone != true { output.flush() }
    perform(method, JSONField(params, path: JSONPath([.key("params")])), id: id)
    world?.look()
  }

  /// Ends the app before the process exits.
  func end() { quit() }

  private func perform(_ method: String, _ params: JSONField, id: Int) {
    do throws(JSONField.Problem) {
      switch BaseCommand(rawValue: method) {
      case .hello: output.write(.result(id: id, hello.representation))
      case .launch: try launch(params, id: id)
      case .advance: try advance(params, id: id)
      case .ping: output.write(.result(id: id, .null))
      case .quit:
        quit()
        output.write(.result(id: id, .null))
      case .shutdown:
        quit()
        output.write(.result(id: id, .null))
        output.flush()
        exit(0)
      case .surroundings: surround(params.value, id: id)
      case nil: pass(method, params.value, id: id)
      }
    } catch {
      output.error(id: id, code: RPCError.invalidParams, "\(error)")
    }
  }

  private func launch(_ params: JSONField, id: Int) throws(JSONField.Problem) {
    quit()
    let launch = try AdapterLaunch(params)
    do {
      let trusting = try launch.trust.flatMap { try tls?.trusting($0) }
      let world = AppWorld(
        clock: clock(for: launch), loop: loop, output: output, tls: trusting ?? tls, hosts: launch.hosts)
      app = try makeApp(launch, world)
      self.world = world
      output.write(.result(id: id, .null))
    } catch {
      let failure = CommandError(kind: "generic", message: "the app could not be launched: \(error)")
      output.write(.failure(id: id, RPCError(failure)))
    }
  }

  private func clock(for launch: AdapterLaunch) -> any AppClock {
    switch launch.clock {
    case .virtual: SteppedClock(epoch: launch.epoch)
    case .scaled: FlowingClock(epoch: launch.epoch, scale: Double(launch.scale), loop: loop)
    case .real: FlowingClock(epoch: launch.epoch, scale: 1, loop: loop)
    }
  }

  private func advance(_ params: JSONField, id: Int) throws(JSONField.Problem) {
    guard let world else { return output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    let advance = try AdapterAdvance(params)
    let isPossible = world.advance(to: advance.to.milliseconds, inFlight: advance.inFlight) { [output] next in
      output.write(.result(id: id, AdvanceReply(next: next.map { .milliseconds($0) }).representation))
    }
    if !isPossible { output.error(id: id, code: RPCError.methodNotFound, "'advance' needs the virtual clock") }
  }

  private func surround(_ facts: JSON, id: Int) {
    guard let app else { return output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    do {
      try app.surround(facts.object ?? [:])
      output.write(.result(id: id, .null))
    } catch {
      let failure = CommandError(kind: CommandError.unsupported, message: "\(error)")
      output.write(.failure(id: id, RPCError(failure)))
    }
  }

  private func pass(_ method: String, _ params: JSON, id: Int) {
    guard knownCommands?.contains(method) ?? true else {
      return output.error(id: id, code: RPCError.methodNotFound, "no command '\(method)'")
    }
    guard let app else { return output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    lastCommand += 1
    let number = lastCommand
    open[number] = id
    app.perform(method, params) { [weak self, output] outcome in
      // The app was asked to end before this reply, so the command already has its answer.
      guard self?.open.removeValue(forKey: number) != nil else { return }
      switch outcome {
      case .success(let value): output.write(.result(id: id, value))
      case .failure(let error): output.write(.failure(id: id, RPCError(error)))
      }
    }
  }

  /// Ends the app. The commands that it has not answered fail with an error.
  private func quit() {
    let ended = RPCError(CommandError(kind: CommandError.ended, message: "the app was ended"))
    for (_, id) in open.sorted(by: { $0.key < $1.key }) { output.write(.failure(id: id, ended)) }
    open = [:]
    app?.quit()
    app = nil
    world?.close()
    world = nil
  }
}

extension BaseCommand {
  /// True for a command that the app does not receive. The app does not receive `advance`; it only sees its timers
  /// fire.
  fileprivate var leavesAppAlone: Bool {
    switch self {
    case .hello, .ping, .advance: true
    case .launch, .surroundings, .quit, .shutdown: false
    }
  }
}
