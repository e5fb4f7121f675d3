import ConformanceModel
import JSONKit

extension FieldReader {
  /// A provisioning file whose form the schema has found to be right.
  mutating func provisioning(_ root: JSONField) -> Provisioning {
    var hooks: [String: Provisioning.Hook] = [:]
    for (name, field) in members(root.member("hooks")) { hooks[name] = hook(field) }
    var values: Bindings = [:]
    for (name, field) in members(root.member("values")) { values[name] = field.value }
    return Provisioning(
      url: root.member("url").map { text($0) }, dialect: root.member("dialect").map { Dialect(text($0)) },
      headers: HTTPHeaders(members(root.member("headers")).map { .init(name: $0.key, value: line($0.field)) }),
      values: values, clientAddressHeader: root.member("clientAddressHeader").map { text($0) },
      trust: root.member("trust").map { text($0) }, hooks: hooks, secrets: texts(root.member("secrets")))
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

  init(_ definition: ProtocolDefinition) { self.definition = definition }

  func problems(of root: JSONField) -> [JSONField.Problem] {
    let dialects = definition.dialects.map(\.rawValue)
    let commands = definition.commands(of: .server)
    let dialect = root.member("dialect").flatMap { field in
      dialects.contains(field.value.string ?? "") ? nil : field.problem(expectedOneOf: dialects)
    }
    return [dialect].compactMap(\.self)
      + unknown(root.member("values"), "a value of the protocol", definition.values.map(\.name))
      + unknown(root.member("hooks"), "a command for a server", commands.map(\.name))
      + commands.flatMap { command in
        root.member("hooks")?.member(command.name).map { strangeHoles($0, command) } ?? []
      }
  }

  private func unknown(_ field: JSONField?, _ noun: String, _ known: [String]) -> [JSONField.Problem] {
    (field?.value.object?.keys ?? []).filter { !known.contains($0) }.map { name in
      JSONField.Problem(
        path: (field?.path ?? .root).appending(key: name), expected: "\(noun): " + known.joined(separator: ", "),
        found: "'\(name)'", hint: Nearest.suggestion(for: name, in: known))
    }
  }

  /// The holes that nothing would fill.
  private func strangeHoles(_ hook: JSONField, _ command: ProtocolDefinition.Command) -> [JSONField.Problem] {
    let given = (command.params["properties"]?.object?.keys ?? []) + definition.values.map(\.name) + ["server", "now"]
    let parts = [("program", given), ("http", given), ("result", given + ["answer"])]
    return parts.flatMap { key, names -> [JSONField.Problem] in
      guard let field = hook.member(key), let template = try? Template(field) else { return [] }
      return template.holeNames.filter { !names.contains($0) }.map {
        JSONField.Problem(
          path: field.path, expected: "holes with a name out of " + names.joined(separator: ", "), found: "${\($0)}",
          hint: Nearest.suggestion(for: $0, in: names))
      }
    }
  }
}
