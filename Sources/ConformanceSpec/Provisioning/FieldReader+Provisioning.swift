import ConformanceModel
import ConformanceProvisioning
import HTTPValues
import JSONKit
import Templates

extension FieldReader {
  /// Reads a provisioning file whose form the schema has validated.
  mutating func provisioning(_ root: JSONField, of definition: ProtocolDefinition) -> Provisioning {
    var hooks: [String: Provisioning.Hook] = [:]
    for (name, field) in members(root.member("hooks")) { hooks[name] = hook(field) }
    var logins: [String: Provisioning.Hook] = [:]
    for (name, field) in members(root.member("logins")) { logins[name] = hook(field) }
    let numbers = Set(definition.values.filter(\.isNumber).map(\.name))
    var values: Bindings = [:]
    for (name, field) in members(root.member("values")) {
      values[name] = numbers.contains(name) ? number(field) : field.value
    }
    var requests: [String: Exchange.Request] = [:]
    for (name, field) in members(root.member("exchanges")) { requests[name] = boundRequest(field) }
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
      trust: root.member("trust").map { text($0) }, hooks: hooks,
      cleanUp: root.member("cleanUp").map { hook($0) }, logins: logins, requests: requests, answers: answers,
      limits: limits(root.member("limits")), secrets: texts(root.member("secrets")))
  }

  /// A whole number. The file may contain it as a text, since the value of an environment variable is always a text.
  private mutating func number(_ field: JSONField) -> JSON {
    if field.value.int != nil { return field.value }
    if let number = field.value.string.flatMap({ Int($0) }) { return .int(number) }
    report(field.problem(expected: "a whole number"))
    return field.value
  }

  /// The request of a bound exchange, which only the provisioning file defines. If its body is an object or a list, the
  /// request gets the Content-Type of JSON.
  private mutating func boundRequest(_ field: JSONField) -> Exchange.Request {
    var request = request(field)
    let isJSON = field.member("body").map { $0.value.object != nil || $0.value.array != nil } ?? false
    if isJSON, !request.headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
      request.headers["Content-Type"] = Template(.literal("application/json"))
    }
    return request
  }

  /// The base URLs of the services: from `url` for a protocol with one service, otherwise from `urls`.
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
    .init(
      deadline: field?.member("deadline").map { time($0) }, attempts: int(field?.member("attempts")),
      retryWindow: field?.member("retryWindow").map { time($0) })
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
    var maps: [String: Provisioning.Mapping] = [:]
    for (name, map) in members(field.member("map")) {
      let words = members(map.member("to")).map { ($0.key, filledTemplate($0.field)) }
      maps[name] = .init(of: filledTemplate(map.member("of")), to: Dictionary(words) { first, _ in first })
    }
    let call = Provisioning.Call(
      method: http?.member("method").map { text($0) } ?? "POST",
      target: http?.member("url").map { .url(filledTemplate($0)) } ?? .path(filledTemplate(http?.member("path"))),
      headers: headers, body: http?.member("body").map { filledTemplate($0) },
      maps: maps, result: field.member("result").map { filledTemplate($0) } ?? Template(.literal(.null)))
    return .init(.http(call), timeLimit: limit)
  }

  /// A template from which the kit can make a value. If the template can only be compared with values, reports a
  /// problem.
  private mutating func filledTemplate(_ field: JSONField?) -> Template {
    let template = template(field)
    if template.isMatchOnly, let field {
      report(field.problem(expected: "values and named holes, from which a value can be made"))
    }
    return template
  }
}
