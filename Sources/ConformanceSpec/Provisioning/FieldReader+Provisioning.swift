import ConformanceModel
import JSONKit

extension FieldReader {
  /// A provisioning file whose form the schema has found to be right.
  mutating func provisioning(_ root: JSONField, of definition: ProtocolDefinition) -> Provisioning {
    var hooks: [String: Provisioning.Hook] = [:]
    for (name, field) in members(root.member("hooks")) { hooks[name] = hook(field) }
    var values: Bindings = [:]
    for (name, field) in members(root.member("values")) { values[name] = field.value }
    var requests: [String: Exchange.Request] = [:]
    for (name, field) in members(root.member("exchanges")) { requests[name] = request(field) }
    var answers: [String: [String: JSONPath]] = [:]
    for (exchange, field) in members(root.member("answers")) {
      for (name, path) in members(field) { answers[exchange, default: [:]][name] = self.path(path) }
    }
    return Provisioning(
      urls: urls(root, of: definition), start: root.member("start").map { start($0) },
      probe: root.member("probe").map { probe($0) },
      slots: int(root.member("slots")) ?? 1, dialect: root.member("dialect").map { Dialect(text($0)) },
      headers: HTTPHeaders(members(root.member("headers")).map { .init(name: $0.key, value: line($0.field)) }),
      values: values, clientAddressHeader: root.member("clientAddressHeader").map { text($0) },
      trust: root.member("trust").map { text($0) }, hooks: hooks, requests: requests, answers: answers,
      limits: limits(root.member("limits")), secrets: texts(root.member("secrets")))
  }

  /// `url` for a protocol with one service, `urls` by service.
  private mutating func urls(_ root: JSONField, of definition: ProtocolDefinition) -> [ServiceName: String] {
    var urls: [ServiceName: String] = [:]
    for (name, field) in members(root.member("urls")) { urls[ServiceName(name)] = text(field) }
    guard let url = root.member("url") else { return urls }
    let offered = Set(definition.roles.flatMap(\.ports.downstream)).sorted()
    guard offered.count == 1 else {
      report(url.problem(expected: "'urls' by service: " + offered.map(\.rawValue).joined(separator: ", ")))
      return urls
    }
    if urls[offered[0]] != nil { report(url.problem(expected: "either 'url' or 'urls'")) }
    urls[offered[0]] = text(url)
    return urls
  }

  private mutating func start(_ field: JSONField) -> Provisioning.Start {
    var environment: [String: Template] = [:]
    for (name, value) in members(field.member("environment")) { environment[name] = filledTemplate(value) }
    let ready = field.member("ready")
    return Provisioning.Start(
      program: elements(field.member("program")).map { filledTemplate($0) }, environment: environment,
      readyPath: ready?.member("path").map { text($0) } ?? "/",
      readyWithin: ready?.member("within").map { time($0) } ?? .seconds(10))
  }

  private mutating func probe(_ field: JSONField) -> Provisioning.Probe {
    .init(
      exchange: text(field.member("exchange")), with: filledTemplate(field.member("with")),
      reaches: texts(field.member("reaches")).map { ServiceName($0) })
  }

  private mutating func limits(_ field: JSONField?) -> Provisioning.Limits {
    .init(deadline: field?.member("deadline").map { time($0) }, attempts: int(field?.member("attempts")))
  }

  private mutating func line(_ field: JSONField) -> String {
    let text = text(field)
    if text.contains(where: \.isNewline) { report(field.problem(expected: "a text on one line")) }
    return text
  }

  private mutating func hook(_ field: JSONField) -> Provisioning.Hook {
    let limit = field.member("timeLimit").map { time($0) } ?? Provisioning.Hook.patience
    if let program = field.member("program") {
      return .init(.program(elements(program).map { filledTemplate($0) }), timeLimit: limit)
    }
    let http = field.member("http")
    var headers: [String: Template] = [:]
    for (name, value) in members(http?.member("headers")) { headers[name] = filledTemplate(value) }
    let call = Provisioning.Call(
      method: http?.member("method").map { text($0) } ?? "POST",
      target: http?.member("url").map { .url(filledTemplate($0)) } ?? .path(filledTemplate(http?.member("path"))),
      headers: headers, body: http?.member("body").map { filledTemplate($0) },
      result: field.member("result").map { filledTemplate($0) } ?? Template(.literal(.null)))
    return .init(.http(call), timeLimit: limit)
  }

  /// A template from which a value is made.
  private mutating func filledTemplate(_ field: JSONField?) -> Template {
    let template = template(field)
    if template.isMatchOnly, let field {
      report(field.problem(expected: "values and named holes, from which a value can be made"))
    }
    return template
  }
}

/// What a provisioning file may name: the protocol's dialects, values and commands, and what they bring with them.
struct ProvisioningChecks {
  private let definition: ProtocolDefinition
  private let exchanges: [Exchange]

  init(_ definition: ProtocolDefinition, exchanges: [Exchange]) {
    self.definition = definition
    self.exchanges = exchanges
  }

  func problems(of root: JSONField) -> [JSONField.Problem] {
    let dialects = definition.dialects.map(\.rawValue)
    let commands = definition.operatorCommands
    let dialect = root.member("dialect").flatMap { field in
      dialects.contains(field.value.string ?? "") ? nil : field.problem(expectedOneOf: dialects)
    }
    let offered = Set(definition.roles.flatMap(\.ports.downstream)).map(\.rawValue).sorted()
    return [dialect].compactMap(\.self) + sharedURLs(root.member("urls")) + strangeRequests(root) + strangeProbe(root)
      + unknown(root.member("urls"), "a service that subjects offer", offered)
      + unknown(root.member("values"), "a value of the protocol", definition.values.map(\.name))
      + unknown(root.member("hooks"), "a command for a server", commands.map(\.name))
      + commands.flatMap { command in
        root.member("hooks")?.member(command.name).map { strangeHoles($0, command) } ?? []
      }
  }

  private func unknown(_ field: JSONField?, _ noun: String, _ known: [String]) -> [JSONField.Problem] {
    (field?.value.object?.keys ?? []).filter { !known.contains($0) }.map { name in
      JSONField.Problem(
        path: (field?.path ?? .root).appending(key: name),
        expected: known.isEmpty ? "\(noun), of which there are none" : "\(noun): " + known.joined(separator: ", "),
        found: "'\(name)'", hint: Nearest.suggestion(for: name, in: known))
    }
  }

  /// Services at one URL, where nobody could tell one from the other.
  private func sharedURLs(_ field: JSONField?) -> [JSONField.Problem] {
    var first: [String: String] = [:]
    return (field?.value.object?.members ?? []).compactMap { member in
      let url = member.value.string.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
      guard let other = first.updateValue(member.key, forKey: url) else { return nil }
      return JSONField.Problem(
        path: (field?.path ?? .root).appending(key: member.key), expected: "an address of its own, by path or port",
        found: "that of '\(other)'")
    }
  }

  /// Requests and answers of exchanges that are not there, or that need no binding, and holes that nothing fills.
  private func strangeRequests(_ root: JSONField) -> [JSONField.Problem] {
    let bound = exchanges.filter(\.isBound)
    let given = root.member("values")?.value.object?.keys ?? []
    return unknown(root.member("exchanges"), "a bound exchange", bound.map(\.name))
      + unknown(root.member("answers"), "an exchange", exchanges.map(\.name))
      + bound.flatMap { exchange -> [JSONField.Problem] in
        guard let field = root.member("exchanges")?.member(exchange.name), let template = try? Template(field) else {
          return []
        }
        let known = (exchange.boundHoles ?? []) + given + ["now", "unique"]
        return template.holeNames.sorted().filter { !known.contains($0) }.map { hole in
          JSONField.Problem(
            path: field.path, expected: "holes with a name out of " + known.joined(separator: ", "),
            found: "${\(hole)}", hint: Nearest.suggestion(for: hole, in: known))
        }
      }
  }

  /// A probe that asks for nothing, or for what the subject never calls.
  private func strangeProbe(_ root: JSONField) -> [JSONField.Problem] {
    guard let probe = root.member("probe") else { return [] }
    let upstream = Set(definition.roles.map(\.ports).filter { !$0.downstream.isEmpty }.flatMap(\.upstream))
    let known = upstream.map(\.rawValue).sorted()
    let services = ((try? probe.member("reaches")?.elements()) ?? []).filter { !known.contains($0.value.string ?? "") }
      .map { $0.problem(expected: "a service that the subject calls: " + known.joined(separator: ", ")) }
    let bindings = root.member("exchanges")?.value.object?.keys ?? []
    guard let exchange = probe.member("exchange"), let name = exchange.value.string, !bindings.contains(name),
      exchanges.first(where: { $0.name == name })?.requests.isEmpty ?? true
    else { return services }
    return services + [exchange.problem(expected: "an exchange that 'exchanges' says how to ask for")]
  }

  /// The holes that nothing would fill.
  private func strangeHoles(_ hook: JSONField, _ command: ProtocolDefinition.Command) -> [JSONField.Problem] {
    let given =
      (command.params["properties"]?.object?.keys ?? []) + definition.values.map(\.name)
      + definition.services.map(\.name.rawValue) + ["server", "now", "limits"]
    let parts = [("program", given), ("http", given), ("result", given + ["answer"])]
    return parts.flatMap { key, names -> [JSONField.Problem] in
      guard let field = hook.member(key), !field.value.holdsEndlessText, let template = try? Template(field) else {
        return []
      }
      return template.holeNames.filter { !names.contains($0) }.map {
        JSONField.Problem(
          path: field.path, expected: "holes with a name out of " + names.joined(separator: ", "), found: "${\($0)}",
          hint: Nearest.suggestion(for: $0, in: names))
      }
    }
  }
}
