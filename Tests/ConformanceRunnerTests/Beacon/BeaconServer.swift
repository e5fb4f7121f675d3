import ConformanceModel
import JSONKit

/// The reference server of Beacon behind its services `lamp` and `log`: towers that show words, passes, and a book.
struct BeaconServer: ServerModel {
  private struct Tower {
    /// The number of each signal by its id.
    var shown: [String: Int] = [:]
  }

  /// A refusal: a status and why.
  private struct Refusal: Error {
    var status: Int
    var reason: String
  }

  /// The key with which passes are issued, unless a subject brings its own.
  static let key = "key-of-the-station"
  private static let page = 10

  private let version: Int
  private let defects: Set<DefectID>
  private var random: SeededRandom
  private var passes: Set<String> = []
  private var towers: [String: Tower] = [:]
  private var book: [String: [JSON]] = [:]
  private var watch = "w"
  /// How many signals were shown: with each the watch gets another sign.
  private var turns = 0

  /// A fresh server whose passes follow from the seed.
  init(dialect: Dialect, seed: UInt64 = 0, defects: Set<DefectID> = []) {
    version = dialect == "two" ? 2 : 1
    self.defects = defects
    random = SeededRandom(seed: seed)
  }

  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    var response: HTTPResponse
    do throws(Refusal) {
      response = try answer(request, parts, at: service)
    } catch {
      response = .json(error.status, ["error": .string(error.reason)])
    }
    if service == "lamp", parts.first != "passes" { response.headers["X-Watch"] = "\(watch)-\(turns)" }
    return response
  }

  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    switch command {
    case "grantPass": passes.insert(params["pass"]?.string ?? "")
    case "expirePass":
      if !defects.contains("pass.for-ever") { passes.remove(params["pass"]?.string ?? "") }
    case "setWatch": watch = params["watch"]?.string ?? ""
    default:
      return .error(CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'"))
    }
    return .result(.null)
  }

  private mutating func answer(
    _ request: HTTPRequest, _ parts: [String], at service: ServiceName
  ) throws(Refusal) -> HTTPResponse {
    switch (service, request.method, parts) {
    case ("lamp", "POST", ["passes"]): return try issue(request)
    case ("lamp", "GET", ["towers", "nearest"]): return .json(200, ["tower": "north"])
    case ("lamp", "GET", _) where parts.count == 2 && parts[0] == "towers": return standing(parts[1])
    case ("lamp", "POST", _) where version == 1 && parts.count == 3 && parts[0] == "towers" && parts[2] == "signals":
      return try show(at: parts[1], request)
    case ("lamp", "POST", ["v2", "signals"]) where version == 2:
      return try show(at: try text("tower", of: try body(of: request)), request)
    case ("log", "POST", ["notes"]): return try write(request)
    case ("log", "GET", ["notes"]): return read(request)
    default: throw Refusal(status: 404, reason: "there is no such place")
    }
  }

  // MARK: Passes

  /// Every key but an obviously wrong one is good, so that a backend may bring any.
  private mutating func issue(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard let field = request.headers["Authorization"], field.hasPrefix("Bearer "), field.count >= 12 + "Bearer ".count
    else { throw Refusal(status: 401, reason: "the key is wrong") }
    let keeper = try text("keeper", of: try body(of: request))
    let pass = "pass-\(random.uuid())"
    passes.insert(pass)
    return .json(201, ["pass": .string(pass), "keeper": .string(keeper)])
  }

  // MARK: Towers

  private func standing(_ name: String) -> HTTPResponse {
    let count = towers[name]?.shown.count ?? 0
    return .json(
      200, ["tower": .string(name), "lit": .bool(count > 0), "seq": .int(count), "version": .int(version)])
  }

  private mutating func show(at name: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard let pass = request.headers["X-Pass"], passes.contains(pass) || defects.contains("pass.any") else {
      throw Refusal(status: 401, reason: "the pass is not valid")
    }
    let id = try text("id", of: try body(of: request))
    if let known = towers[name]?.shown[id] { return .json(202, ["seq": .int(known)]) }
    let number = defects.contains("seq.same") ? 1 : (towers[name]?.shown.count ?? 0) + 1
    towers[name, default: Tower()].shown[id] = number
    turns += 1
    return .json(202, ["seq": .int(number)])
  }

  // MARK: The book

  private mutating func write(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard let notes = try body(of: request)["notes"]?.array, !notes.isEmpty else {
      throw Refusal(status: 400, reason: "a page has notes")
    }
    guard notes.count <= Self.page else { throw Refusal(status: 413, reason: "at most ten notes at a time") }
    book[keeper(of: request), default: []] += notes
    return .json(200, ["kept": .int(notes.count)])
  }

  private func read(_ request: HTTPRequest) -> HTTPResponse {
    let notes = book[keeper(of: request)] ?? []
    let isLast = request.queryItems.contains { $0.name == "last" && $0.value == "true" }
    let picked = isLast ? Array(notes.suffix(1)) : notes
    return .json(200, ["notes": .array(defects.contains("notes.reversed") ? picked.reversed() : picked)])
  }

  private func keeper(of request: HTTPRequest) -> String { request.headers["X-Keeper"] ?? "" }

  // MARK: Requests

  private func body(of request: HTTPRequest) throws(Refusal) -> JSON {
    guard let value = try? JSON(parsing: request.body) else {
      throw Refusal(status: 400, reason: "the body is no JSON")
    }
    return value
  }

  private func text(_ name: String, of body: JSON) throws(Refusal) -> String {
    guard let text = body[name]?.string, !text.isEmpty else {
      throw Refusal(status: 400, reason: "'\(name)' is missing")
    }
    return text
  }
}
