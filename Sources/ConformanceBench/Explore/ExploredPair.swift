import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import Subjects
import Templates

/// Compares the subject with the reference server (the model) in one sequence of operations. It contains the model, the
/// values from the answers of both sides, and the pairs of values that correspond.
struct ExploredPair {
  /// The inputs that all sequences of an exploration share.
  struct Setting: Sendable {
    var exploration: Exploration
    var catalogue: Catalogue
    var dialect: Dialect
    /// The bindings for operations of the subject. `model` contains the bindings for operations of the reference
    /// server.
    var subject: Bindings
    var model: Bindings
    var makeModel: @Sendable (_ seed: UInt64) -> any ServerModel
  }

  /// The values at the same path in the answer of the model and in the answer of the subject.
  private struct Both {
    var model: JSON
    var subject: JSON
  }

  enum Side { case model, subject }

  /// An error in the data of the reference server or in an operation, for which the subject is not responsible.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let setting: Setting
  private let run: String
  private var model: any ServerModel
  private var kept: [String: [Int: Both]] = [:]
  /// The ids of the two sides that correspond. An id is a value that each side chooses itself. `subjectNames` contains
  /// the subject's id for each id of the model, and `modelNames` the reverse. `places` contains the place where each id
  /// of the model was seen first.
  private var subjectNames: [JSON: JSON] = [:]
  private var modelNames: [JSON: JSON] = [:]
  private var places: [JSON: String] = [:]

  init(_ setting: Setting, run: String, seed: UInt64) {
    self.setting = setting
    self.run = run
    model = setting.makeModel(seed)
  }

  /// Chooses a random operation for which all values from earlier answers exist; nil if every operation needs a value
  /// that does not exist yet.
  func draw(serial: Int, using random: inout SeededRandom) -> ExploredOperation? {
    let draws = setting.exploration.draws
    let possible = draws.indices.filter { index in
      needs(of: draws[index]).allSatisfy { kept[$0]?.isEmpty == false }
    }
    let total = possible.reduce(0) { $0 + draws[$1].weight }
    guard total > 0 else { return nil }
    var lot = Int.random(in: 0..<total, using: &random)
    guard
      let index = possible.first(where: { index in
        lot -= draws[index].weight
        return lot < 0
      })
    else { return nil }
    let names = Set(draws[index].with.holeNames)
    var operation = ExploredOperation(draw: index, serial: serial, choices: [:], kept: [:])
    for choice in setting.exploration.choices where names.contains(choice.name) {
      operation.choices[choice.name] = Int.random(in: choice.values.indices, using: &random)
    }
    for name in needs(of: draws[index]).sorted() {
      operation.kept[name] = recent(kept[name]?.keys.sorted() ?? [], using: &random)
    }
    return operation
  }

  /// Chooses the number of an earlier operation at random. Prefers later operations, because most errors need
  /// operations that follow each other closely.
  private func recent(_ serials: [Int], using random: inout SeededRandom) -> Int? {
    guard !serials.isEmpty else { return nil }
    return serials[
      max(Int.random(in: serials.indices, using: &random), Int.random(in: serials.indices, using: &random))]
  }

  /// Whether all values that the operation refers to exist. A value may be missing because a shortened sequence leaves
  /// out the operation that provided it.
  func can(_ operation: ExploredOperation) -> Bool { operation.kept.allSatisfy { kept[$0.key]?[$0.value] != nil } }

  private func needs(of draw: Exploration.Draw) -> Set<String> {
    setting.exploration.keptNames.intersection(draw.with.holeNames)
  }

  func values(of operation: ExploredOperation, on side: Side) throws -> JSON.Object {
    var bindings = side == .model ? setting.model : setting.subject
    bindings["run"] = .string(run)
    bindings["serial"] = .int(operation.serial)
    for (name, index) in operation.choices {
      let choice = setting.exploration.choices.first { $0.name == name }
      bindings[name] = try choice?.values[index].render(bindings)
    }
    for (name, serial) in operation.kept {
      bindings[name] = kept[name]?[serial].map { side == .model ? $0.model : $0.subject }
    }
    return try setting.exploration.draws[operation.draw].with.render(bindings).object ?? [:]
  }

  /// The answer of the reference server.
  mutating func answer(to operation: ExploredOperation, now: Int) throws -> JSON {
    let values = try values(of: operation, on: .model)
    switch setting.exploration.draws[operation.draw].action {
    case .call(let command):
      guard case .result(let value) = model.perform(command, params: values, now: now) else {
        throw Failure(description: "the reference server cannot do '\(command)'")
      }
      return value
    case .send(let name):
      guard let exchange = setting.catalogue.exchange(name), let template = exchange.request(in: setting.dialect) else {
        throw Failure(description: "the request for '\(name)' is unknown")
      }
      let request = try SentRequest(
        Step.Send(exchange: name, with: Template(.literal(.object(values)))), exchange: exchange, template: template,
        bindings: setting.model, models: setting.catalogue.models
      ).request
      let response = model.respond(to: request, at: exchange.service, now: now)
      if let complaint = model.complaint { throw Failure(description: complaint) }
      return ResponseRecord(
        connection: 0, line: "HTTP/1.1 \(response.status) \(response.reason)", headers: response.headers,
        body: Octets(response.body)
      ).view
    }
  }

  /// Compares the answers of the reference server and of the subject, and returns the disagreement. If the answers
  /// agree, returns nil, and keeps the values that later operations refer to.
  mutating func compare(
    _ operation: ExploredOperation, _ expected: JSON, _ observed: JSON
  ) -> Disagreement? {
    let draw = setting.exploration.draws[operation.draw]
    func wrong(_ path: String, _ expected: JSON, _ observed: JSON, _ answer: JSON) -> Disagreement {
      Disagreement(operation: draw.word, at: path, expected: expected, observed: observed, answer: answer)
    }
    if case .send = draw.action {
      let (wanted, found) = (expected["status"]?.int ?? 0, observed["status"]?.int)
      if found.map({ $0 / 100 != wanted / 100 }) ?? true {
        return wrong("$.status", .string("\(wanted / 100)xx"), found.map(JSON.int) ?? observed, expected)
      }
    }
    for path in draw.same {
      guard let wanted = expected[path], observed[path] != wanted else { continue }
      return wrong("\(path)", wanted, observed[path] ?? .null, expected)
    }
    for path in draw.names {
      guard let wanted = expected[path] else { continue }
      let found = observed[path] ?? .null
      guard let problem = problem(with: found, for: wanted, "\(path) of \(draw.word) \(operation.serial)") else {
        continue
      }
      return wrong("\(path)", .string(problem), found, expected)
    }
    for (name, path) in draw.keeps {
      guard let own = expected[path], !own.isNull, let other = observed[path], !other.isNull else { continue }
      kept[name, default: [:]][operation.serial] = Both(model: own, subject: other)
    }
    return nil
  }

  /// If the id `found` in the subject's answer is wrong, a text that describes the expected id; nil if it is right. If
  /// it and the reference server's id `wanted` both appear for the first time, they correspond from now on.
  private mutating func problem(with found: JSON, for wanted: JSON, _ place: String) -> String? {
    if wanted.isNull { return found.isNull ? nil : "null" }
    if found.isNull { return "a value" }
    if let known = subjectNames[wanted] {
      return known == found ? nil : "the value at \(places[wanted] ?? "an earlier place")"
    }
    if let other = modelNames[found] { return "another value than that at \(places[other] ?? "an earlier place")" }
    subjectNames[wanted] = found
    modelNames[found] = wanted
    places[wanted] = place
    return nil
  }
}
