// The part of an adapter that is the same for every SDK and every protocol: the life of the process, the order of
// replies and callbacks, the clocks. It needs Foundation only. Replace nothing here.
import Foundation

/// Thrown by a command whose feature the SDK does not have.
public struct Unsupported: Error {
  public let message: String
  public init(_ message: String) { self.message = message }
}

/// An error of the SDK. `kind` is one of the protocol's error kinds; `status` is that of HTTP.
public struct Failed: Error {
  public var kind: String
  public var status: Int?
  public var message: String

  public init(kind: String, status: Int? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.message = message
  }
}

/// Closures that run one after the other on the main thread; any thread may add one.
final class Loop {
  private let condition = NSCondition()
  private var work: [() -> Void] = []

  func add(_ action: @escaping () -> Void) {
    condition.lock()
    work.append(action)
    condition.signal()
    condition.unlock()
  }

  var isEmpty: Bool {
    condition.lock()
    defer { condition.unlock() }
    return work.isEmpty
  }

  func next() -> () -> Void {
    condition.lock()
    defer { condition.unlock() }
    while work.isEmpty { condition.wait() }
    return work.removeFirst()
  }
}

/// What one launch provides to the SDK: storage, clock, seed, callbacks. Use it on the loop only, but for `post`.
public final class App {
  public final class Timer {
    fileprivate let due: Double
    fileprivate var action: (() -> Void)?

    fileprivate init(due: Double, action: @escaping () -> Void) {
      self.due = due
      self.action = action
    }

    public func cancel() { action = nil }

    fileprivate func fire() {
      let action = self.action
      self.action = nil
      action?()
    }
  }

  struct Advance {
    var id: Any
    var to: Double
    var inFlight: Int
  }

  public let storage: URL
  public let seed: Int
  public let dialect: String?
  public let environment: [String: Any]
  let isVirtual: Bool
  var waiting: [Advance] = []
  var hasEnded = false
  private let epoch: Double
  private let scale: Double
  private let started = DispatchTime.now().uptimeNanoseconds
  private let loop: Loop
  private var timers: [Timer] = []
  private var elapsed = 0.0
  private var requests = 0

  init(_ params: [String: Any], _ loop: Loop) {
    let clock = params["clock"] as? [String: Any] ?? [:]
    let mode = clock["mode"] as? String
    storage = URL(fileURLWithPath: params["storage"] as? String ?? ".")
    seed = (params["seed"] as? NSNumber)?.intValue ?? 0
    dialect = params["dialect"] as? String
    environment = params["environment"] as? [String: Any] ?? [:]
    isVirtual = mode == "virtual"
    epoch = (clock["epoch"] as? NSNumber)?.doubleValue ?? 0
    scale = mode == "scaled" ? (clock["scale"] as? NSNumber)?.doubleValue ?? 1 : 1
    self.loop = loop
  }

  /// The wall clock in milliseconds since 1970.
  public var now: Int {
    let real = Double(DispatchTime.now().uptimeNanoseconds - started) / 1e6 * scale
    return Int(epoch + (isVirtual ? elapsed : real))
  }

  /// Runs an action on the loop after so many milliseconds of the app's clock.
  @discardableResult
  public func schedule(after milliseconds: Double, _ action: @escaping () -> Void) -> Timer {
    let timer = Timer(due: elapsed + max(0, milliseconds), action: action)
    if isVirtual {
      timers.append(timer)
    } else {
      let delay = DispatchTimeInterval.nanoseconds(Int(max(0, milliseconds) * 1e6 / scale))
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.post { timer.fire() } }
    }
    return timer
  }

  /// Runs an action on the loop, from any thread. It does nothing once the app has ended.
  public func post(_ action: @escaping () -> Void) {
    loop.add { if !self.hasEnded { action() } }
  }

  /// Call this before the SDK passes a request to its HTTP library: the virtual clock waits for the response.
  public func requestBegins() { requests += 1 }

  /// Call this on the loop after the SDK has received the whole response or the error.
  public func requestEnds() { requests -= 1 }

  /// Reports that the SDK called the callback with this handle.
  public func callback(_ handle: String, _ value: Any?) {
    guard !hasEnded else { return }
    write(["method": "callback", "params": ["handle": handle, "value": value ?? NSNull()]])
  }

  /// A value that an earlier launch with the same storage wrote.
  public func stored(_ name: String) throws -> Any? {
    let file = storage.appendingPathComponent(name + ".json")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONSerialization.jsonObject(with: Data(contentsOf: file), options: .fragmentsAllowed)
  }

  /// Writes a value so that it survives a crash of the app.
  public func store(_ name: String, _ value: Any) throws {
    let bytes = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    try bytes.write(to: storage.appendingPathComponent(name + ".json"), options: .atomic)
  }

  /// Moves the clock as far as it may go, and returns the questions that are answered by that.
  func step() -> [(id: Any, next: Double?)] {
    while let last = waiting.last {
      guard loop.isEmpty else { return [] }
      timers.removeAll { $0.action == nil }
      guard requests <= last.inFlight else { break }
      guard let index = timers.indices.min(by: { timers[$0].due < timers[$1].due }), timers[index].due <= last.to
      else {
        elapsed = max(elapsed, last.to)
        break
      }
      let timer = timers.remove(at: index)
      elapsed = max(elapsed, timer.due)
      timer.fire()
    }
    let next = timers.map(\.due).min()
    let done = waiting.filter { elapsed >= $0.to && requests <= $0.inFlight }
    waiting.removeAll { elapsed >= $0.to && requests <= $0.inFlight }
    return done.map { ($0.id, next) }
  }
}

/// An adapter around an SDK. Every closure is called on one thread, the loop.
public struct ConformAdapter<SDK> {
  public typealias Reply = (Result<Any?, any Error>) -> Void
  public typealias Command = (SDK, [String: Any], App, @escaping Reply) throws -> Void

  public var hello: [String: Any]
  public var open: (App) throws -> SDK
  public var close: (SDK) -> Void
  public var commands: [String: Command]

  public init(
    hello: [String: Any], open: @escaping (App) throws -> SDK, close: @escaping (SDK) -> Void,
    commands: [String: Command]
  ) {
    self.hello = hello
    self.open = open
    self.close = close
    self.commands = commands
  }

  /// Serves commands until shutdown or the end of stdin.
  public func serve() -> Never {
    let loop = Loop()
    let host = Host(self, loop)
    let reader = Thread {
      while let line = readLine() {
        guard let message = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
          giveUp("a line of the kit is not a JSON object")
        }
        loop.add { host.receive(message) }
      }
      loop.add { host.end() }
    }
    reader.start()
    while true {
      loop.next()()
      if loop.isEmpty { host.step() }
    }
  }
}

final class Host<SDK> {
  private let adapter: ConformAdapter<SDK>
  private let loop: Loop
  private var launched: (app: App, sdk: SDK)?
  private var open: [Int: Any] = [:]

  init(_ adapter: ConformAdapter<SDK>, _ loop: Loop) {
    self.adapter = adapter
    self.loop = loop
  }

  func receive(_ message: [String: Any]) {
    let id = message["id"] ?? NSNull()
    let params = message["params"] as? [String: Any] ?? [:]
    switch message["method"] as? String ?? "" {
    case "hello": reply(id, adapter.hello.merging(["protocolVersion": 1]) { $1 })
    case "ping": reply(id, nil)
    case "launch": launch(id, params)
    case "advance": advance(id, params)
    case "quit":
      leave()
      reply(id, nil)
    case "shutdown":
      leave()
      reply(id, nil)
      exit(0)
    case let name: perform(id, name, params)
    }
  }

  func step() {
    for (id, next) in launched?.app.step() ?? [] {
      open[key(id)] = nil
      reply(id, ["next": next.map { $0 as Any } ?? NSNull()])
    }
  }

  func end() -> Never {
    leave()
    exit(0)
  }

  private func key(_ id: Any) -> Int { (id as? NSNumber)?.intValue ?? 0 }

  private func launch(_ id: Any, _ params: [String: Any]) {
    leave()
    let app = App(params, loop)
    do { launched = (app, try adapter.open(app)) } catch { giveUp("the SDK could not be started: \(error)") }
    reply(id, nil)
  }

  private func advance(_ id: Any, _ params: [String: Any]) {
    guard let app = launched?.app, app.isVirtual else { return refuse(id, "advance") }
    open[key(id)] = id
    let to = (params["to"] as? NSNumber)?.doubleValue ?? 0
    app.waiting.append(.init(id: id, to: to, inFlight: (params["inFlight"] as? NSNumber)?.intValue ?? 0))
  }

  private func perform(_ id: Any, _ name: String, _ params: [String: Any]) {
    guard let command = adapter.commands[name] else { return refuse(id, name) }
    guard let (app, sdk) = launched else { return fail(id, Failed(kind: "ended", message: "no app is running")) }
    open[key(id)] = id
    do { try command(sdk, params, app) { self.settle(id, $0) } } catch { settle(id, .failure(error)) }
  }

  /// Answers a command, unless the app has ended and so answered it.
  private func settle(_ id: Any, _ result: Result<Any?, any Error>) {
    guard open.removeValue(forKey: key(id)) != nil else { return }
    switch result {
    case .success(let value): reply(id, value)
    case .failure(let error as Unsupported): fail(id, Failed(kind: "unsupported", message: error.message))
    case .failure(let error as Failed): fail(id, error)
    case .failure(let error): fail(id, Failed(kind: "generic", message: "\(error)"))
    }
  }

  private func leave() {
    guard let (app, sdk) = launched else { return }
    launched = nil
    adapter.close(sdk)
    app.hasEnded = true
    for id in open.values { fail(id, Failed(kind: "ended", message: "the app has ended")) }
    open = [:]
  }

  private func reply(_ id: Any, _ result: Any?) { write(["id": id, "result": result ?? NSNull()]) }

  private func refuse(_ id: Any, _ name: String) {
    write(["id": id, "error": ["code": -32601, "message": "there is no command \(name)"] as [String: Any]])
  }

  private func fail(_ id: Any, _ error: Failed) {
    var data: [String: Any] = ["kind": error.kind]
    if let status = error.status { data["status"] = status }
    write(["id": id, "error": ["code": -32000, "message": error.message, "data": data] as [String: Any]])
  }
}

/// Writes one line, whole and at once.
func write(_ members: [String: Any]) {
  let line = members.merging(["jsonrpc": "2.0"]) { $1 }
  do {
    let bytes = try JSONSerialization.data(withJSONObject: line, options: .withoutEscapingSlashes)
    FileHandle.standardOutput.write(bytes + Data("\n".utf8))
  } catch { giveUp("a result is not JSON: \(error)") }
}

func giveUp(_ reason: String) -> Never {
  FileHandle.standardError.write(Data((reason + "\n").utf8))
  exit(1)
}
