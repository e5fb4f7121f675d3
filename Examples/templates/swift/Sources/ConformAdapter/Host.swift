// The same for every SDK and every protocol: the life of the process, the order of replies. Replace nothing here.
import Foundation

/// Answers the lines of the kit one after another on the loop.
final class Host<SDK> {
  private let adapter: ConformAdapter<SDK>
  private let loop: Loop
  private let output: Output
  private var launched: (app: App, sdk: SDK)?
  private var open: [Int: Any] = [:]

  init(_ adapter: ConformAdapter<SDK>, _ loop: Loop, _ output: Output) {
    self.adapter = adapter
    self.loop = loop
    self.output = output
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
    let app = App(params, loop, output)
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

  /// Answers a command, unless it was answered when the app ended.
  private func settle(_ id: Any, _ result: Result<Any?, any Error>) {
    guard open.removeValue(forKey: key(id)) != nil else { return }
    switch result {
    case .success(let value): reply(id, value)
    case .failure(let error as Unsupported): fail(id, Failed(kind: "unsupported", message: error.message))
    case .failure(let error as Failed): fail(id, error)
    case .failure(let error): fail(id, adapter.failure(error))
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

  private func reply(_ id: Any, _ result: Any?) { output.write(["id": id, "result": result ?? NSNull()]) }

  private func refuse(_ id: Any, _ name: String) {
    output.write(["id": id, "error": ["code": -32601, "message": "there is no command \(name)"] as [String: Any]])
  }

  private func fail(_ id: Any, _ error: Failed) {
    var data: [String: Any] = ["kind": error.kind]
    if let status = error.status { data["status"] = status }
    output.write(["id": id, "error": ["code": -32000, "message": error.message, "data": data] as [String: Any]])
  }
}

/// The adapter's stdout. It contains only lines of the adapter protocol.
final class Output {
  private let file: FileHandle

  /// Reserves stdout: from now on, all prints go to the log.
  init() {
    file = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
    dup2(STDERR_FILENO, STDOUT_FILENO)
  }

  /// Writes one line, whole and at once.
  func write(_ members: [String: Any]) {
    let line = members.merging(["jsonrpc": "2.0"]) { $1 }
    do {
      let bytes = try JSONSerialization.data(withJSONObject: line, options: .withoutEscapingSlashes)
      file.write(bytes + Data("\n".utf8))
    } catch { giveUp("a result is not JSON: \(error)") }
  }
}

/// Ends the process, with the reason as a line of the log.
func giveUp(_ reason: String) -> Never {
  FileHandle.standardError.write(Data((reason + "\n").utf8))
  exit(1)
}
