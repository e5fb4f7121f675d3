import ConformanceModel
import JSONKit
import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Answers the kit's commands, on the host's one loop.
final class CommandDispatcher {
  private let identity: AdapterIdentity
  private let knownCommands: Set<String>?
  private let loop: any EventLoop
  private let makeApp: @Sendable (AppLaunch, any AppSurroundings) throws -> any HostedApp
  private var world: AppWorld?
  private var app: (any HostedApp)?
  /// The ids of the commands that the app has not answered, by the order in which they came.
  private var open: [Int: JSON] = [:]
  private var lastCommand = 0

  init(
    identity: AdapterIdentity, knownCommands: Set<String>?, loop: any EventLoop,
    makeApp: @escaping @Sendable (AppLaunch, any AppSurroundings) throws -> any HostedApp
  ) {
    self.identity = identity
    self.knownCommands = knownCommands
    self.loop = loop
    self.makeApp = makeApp
  }

  func take(_ line: [UInt8]) {
    guard let message = try? JSON(parsing: line), let id = message["id"], let method = message["method"]?.string else {
      return Output.error(id: .null, code: -32600, message: "not a request of JSON-RPC 2.0", data: nil)
    }
    perform(method, JSONField(message["params"] ?? [:], path: JSONPath([.key("params")])), id: id)
    world?.look()
  }

  /// Ends whatever runs; the process is about to exit.
  func end() { quit() }

  private func perform(_ method: String, _ params: JSONField, id: JSON) {
    do throws(JSONField.Problem) {
      switch method {
      case "hello": Output.result(id: id, hello)
      case "launch": try launch(params, id: id)
      case "advance": try advance(params, id: id)
      case "surroundings": surround(params.value, id: id)
      case "ping": Output.result(id: id, .null)
      case "quit":
        quit()
        Output.result(id: id, .null)
      case "shutdown":
        quit()
        Output.result(id: id, .null)
        exit(0)
      default: pass(method, params.value, id: id)
      }
    } catch {
      Output.error(id: id, code: -32602, message: "\(error)", data: nil)
    }
  }

  private var hello: JSON {
    [
      "protocolVersion": 1, "protocol": .string(identity.protocolName), "specRevision": .string(identity.specRevision),
      "sdk": [
        "name": .string(identity.name), "version": .string(identity.version), "language": .string(identity.language),
        "platform": .string(identity.platform),
      ],
      "capabilities": .strings(identity.capabilities), "declares": .object(identity.declares),
      "clocks": ["virtual", "scaled", "real"], "instances": "many",
    ]
  }

  private func launch(_ params: JSONField, id: JSON) throws(JSONField.Problem) {
    quit()
    let clock = try params.required("clock")
    let epoch = try clock.required("epoch").int()
    let scale = try clock.optional("scale")?.double() ?? 1
    let isVirtual = try clock.required("mode").string() == "virtual"
    let world = AppWorld(
      clock: isVirtual ? SteppedClock(epoch: epoch) : FlowingClock(epoch: epoch, scale: scale, loop: loop), loop: loop)
    let launch = AppLaunch(
      storage: try params.required("storage").string(), environment: params.optional("environment")?.value ?? [:],
      seed: UInt64(max(0, try params.optional("seed")?.int() ?? 0)))
    do {
      app = try makeApp(launch, world)
      self.world = world
      Output.result(id: id, .null)
    } catch {
      Output.error(id: id, code: -32000, message: "the app could not be launched: \(error)", data: ["kind": "generic"])
    }
  }

  private func advance(_ params: JSONField, id: JSON) throws(JSONField.Problem) {
    guard let world else { return Output.error(id: id, code: -32600, message: "no app is launched", data: nil) }
    let instant = try params.required("to").double()
    let inFlight = try params.required("inFlight").int()
    let isPossible = world.advance(to: instant, inFlight: inFlight) { next in
      Output.result(id: id, ["next": next.flatMap { JSON.Number($0) }.map(JSON.number) ?? .null])
    }
    if !isPossible { Output.error(id: id, code: -32601, message: "'advance' needs the virtual clock", data: nil) }
  }

  private func surround(_ facts: JSON, id: JSON) {
    guard let app else { return Output.error(id: id, code: -32600, message: "no app is launched", data: nil) }
    do {
      try app.surround(facts.object ?? [:])
      Output.result(id: id, .null)
    } catch {
      Output.error(id: id, code: -32000, message: "\(error)", data: ["kind": .string(CommandError.unsupported)])
    }
  }

  private func pass(_ method: String, _ params: JSON, id: JSON) {
    guard knownCommands?.contains(method) ?? true else {
      return Output.error(id: id, code: -32601, message: "no command '\(method)'", data: nil)
    }
    guard let app else {
      return Output.error(id: id, code: -32600, message: "no app is launched", data: nil)
    }
    lastCommand += 1
    let number = lastCommand
    open[number] = id
    app.perform(method, params) { [weak self] outcome in
      // What an app says once it was told to end comes too late.
      guard self?.open.removeValue(forKey: number) != nil else { return }
      switch outcome {
      case .success(let value): Output.result(id: id, value)
      case .failure(let error):
        Output.error(id: id, code: -32000, message: error.message ?? error.kind, data: error.representation)
      }
    }
  }

  /// Ends the app. What it has not answered is answered by its end.
  private func quit() {
    for (_, id) in open.sorted(by: { $0.key < $1.key }) {
      Output.error(id: id, code: -32000, message: "the app was ended", data: ["kind": .string(CommandError.ended)])
    }
    open = [:]
    app?.quit()
    app = nil
    world?.close()
    world = nil
  }
}

/// Messages to the kit, one a line on stdout.
enum Output {
  static func result(id: JSON, _ value: JSON) {
    write(["jsonrpc": "2.0", "id": id, "result": value])
  }

  static func error(id: JSON, code: Int, message: String, data: JSON?) {
    let error = JSON.object(compact: [("code", .int(code)), ("message", .string(message)), ("data", data)])
    write(["jsonrpc": "2.0", "id": id, "error": error])
  }

  static func callback(_ handle: String, _ value: JSON) {
    write(["jsonrpc": "2.0", "method": "callback", "params": ["handle": .string(handle), "value": value]])
  }

  private static func write(_ message: JSON) {
    var rest = (message.compactBytes + [0x0A])[...]
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
