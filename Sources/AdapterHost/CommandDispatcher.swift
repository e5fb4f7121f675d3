import AdapterProtocol
import ConformanceModel
import ConformanceWire
import JSONKit
import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Answers the kit's commands, on the host's one loop.
final class CommandDispatcher {
  private let hello: AdapterHello
  private let knownCommands: Set<String>?
  private let tls: (any ClientTLS)?
  private let loop: any EventLoop
  private let makeApp: @Sendable (AdapterLaunch, any AppSurroundings) throws -> any HostedApp
  private var world: AppWorld?
  private var app: (any HostedApp)?
  /// The ids of the commands that the app has not answered, by the order in which they came.
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

  func take(_ line: [UInt8]) {
    guard case .request(let id, let method, let params)? = try? RPCMessage(line: line) else {
      let problem = RPCError(code: RPCError.invalidRequest, message: "not a request of the adapter protocol")
      return Output.write(.refusal(problem))
    }
    perform(method, JSONField(params, path: JSONPath([.key("params")])), id: id)
    world?.look()
  }

  /// Ends whatever runs; the process is about to exit.
  func end() { quit() }

  private func perform(_ method: String, _ params: JSONField, id: Int) {
    do throws(JSONField.Problem) {
      switch BaseCommand(rawValue: method) {
      case .hello: Output.write(.result(id: id, hello.representation))
      case .launch: try launch(params, id: id)
      case .advance: try advance(params, id: id)
      case .ping: Output.write(.result(id: id, .null))
      case .quit:
        quit()
        Output.write(.result(id: id, .null))
      case .shutdown:
        quit()
        Output.write(.result(id: id, .null))
        exit(0)
      case .surroundings: surround(params.value, id: id)
      case nil: pass(method, params.value, id: id)
      }
    } catch {
      Output.error(id: id, code: RPCError.invalidParams, "\(error)")
    }
  }

  private func launch(_ params: JSONField, id: Int) throws(JSONField.Problem) {
    quit()
    let launch = try AdapterLaunch(params)
    do {
      let world = AppWorld(
        clock: clock(for: launch), loop: loop, tls: try launch.trust.flatMap { try tls?.trusting($0) } ?? tls,
        hosts: launch.hosts)
      app = try makeApp(launch, world)
      self.world = world
      Output.write(.result(id: id, .null))
    } catch {
      let failure = CommandError(kind: "generic", message: "the app could not be launched: \(error)")
      Output.write(.failure(id: id, RPCError(failure)))
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
    guard let world else { return Output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    let advance = try AdapterAdvance(params)
    let isPossible = world.advance(to: advance.to.milliseconds, inFlight: advance.inFlight) { next in
      Output.write(.result(id: id, AdvanceReply(next: next.map { .milliseconds($0) }).representation))
    }
    if !isPossible { Output.error(id: id, code: RPCError.methodNotFound, "'advance' needs the virtual clock") }
  }

  private func surround(_ facts: JSON, id: Int) {
    guard let app else { return Output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    do {
      try app.surround(facts.object ?? [:])
      Output.write(.result(id: id, .null))
    } catch {
      let failure = CommandError(kind: CommandError.unsupported, message: "\(error)")
      Output.write(.failure(id: id, RPCError(failure)))
    }
  }

  private func pass(_ method: String, _ params: JSON, id: Int) {
    guard knownCommands?.contains(method) ?? true else {
      return Output.error(id: id, code: RPCError.methodNotFound, "no command '\(method)'")
    }
    guard let app else { return Output.error(id: id, code: RPCError.invalidRequest, "no app is launched") }
    lastCommand += 1
    let number = lastCommand
    open[number] = id
    app.perform(method, params) { [weak self] outcome in
      // What an app says once it was told to end comes too late.
      guard self?.open.removeValue(forKey: number) != nil else { return }
      switch outcome {
      case .success(let value): Output.write(.result(id: id, value))
      case .failure(let error): Output.write(.failure(id: id, RPCError(error)))
      }
    }
  }

  /// Ends the app. What it has not answered is answered by its end.
  private func quit() {
    let ended = RPCError(CommandError(kind: CommandError.ended, message: "the app was ended"))
    for (_, id) in open.sorted(by: { $0.key < $1.key }) { Output.write(.failure(id: id, ended)) }
    open = [:]
    app?.quit()
    app = nil
    world?.close()
    world = nil
  }
}

/// Messages to the kit, one a line on stdout.
enum Output {
  /// A command that the host itself refuses.
  static func error(id: Int, code: Int, _ message: String) {
    write(.failure(id: id, RPCError(code: code, message: message)))
  }

  static func write(_ message: RPCMessage) {
    var rest = message.line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(1, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // A terminal is one file for both directions, and does not wait for a writer once its reader does not wait.
      if count < 0, errno == EAGAIN {
        waitUntilWritable(1)
        continue
      }
      // A kit that does not read any more is gone: the end of stdin follows.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

private func waitUntilWritable(_ descriptor: Int32) {
  var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  poll(&output, 1, -1)
}

private func writeBytes(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, base, count)
}
