import ConformanceModel
import ConformanceProvisioning
import JSONKit
import Templates

/// Checks the names in a provisioning file: dialects, values, commands, exchanges and services must exist in the
/// protocol, and holes must have a value.
struct ProvisioningChecks {
  private let definition: ProtocolDefinition
  private let exchanges: [Exchange]
  private let use: ProvisioningFile.Use
  private let ports: Ports

  init(_ definition: ProtocolDefinition, exchanges: [Exchange], use: ProvisioningFile.Use) {
    self.definition = definition
    self.exchanges = exchanges
    self.use = use
    ports = use.role.map(definition.ports(of:)) ?? definition.lentPorts
  }

  func problems(of root: JSONField) -> [JSONField.Problem] {
    let dialects = definition.dialects.map(\.rawValue)
    let commands = definition.operatorCommands
    let dialect = root.member("dialect").flatMap { field in
      dialects.contains(field.value.string ?? "") ? nil : field.problem(expectedOneOf: dialects)
    }
    let offered = Set(definition.roles.flatMap(\.ports.downstream)).map(\.rawValue).sorted()
    return [dialect].compactMap(\.self)
      + unknown(root.member("urls"), "a service that subjects offer", offered)
      + unknown(root.member("values"), "a value of the protocol", definition.values.map(\.name))
      + unknown(root.member("hooks"), "a command for a server", commands.map(\.name))
      + strangeStart(root) + strangeSlots(root) + strangeRequests(root) + strangeProbe(root)
      + commands.flatMap { command in
        root.member("hooks")?.member(command.name).map { strangeHoles($0, command, root) } ?? []
      }
      + (root.member("cleanUp").map { strangeHoles($0, given: [], isBeforeLogin: true, root) } ?? [])
      + strangeLogins(root)
  }

  private func unknown(_ field: JSONField?, _ noun: String, _ known: [String]) -> [JSONField.Problem] {
    (field?.value.object?.keys ?? []).filter { !known.contains($0) }.map { name in
      JSONField.Problem(
        path: (field?.path ?? .root).appending(key: name),
        expected: known.isEmpty ? "\(noun), of which there are none" : "\(noun): " + known.joined(separator: ", "),
        found: "'\(name)'", hint: Nearest.suggestion(for: name, in: known))
    }
  }
}

// MARK: - How a subject is started and asked

extension ProvisioningChecks {
  /// Problems of `start`: a hole without a value, or a program that does not receive the port on which it has to
  /// listen.
  private func strangeStart(_ root: JSONField) -> [JSONField.Problem] {
    guard let start = root.member("start") else { return [] }
    let told = [start.member("program"), start.member("environment")].compactMap(\.self)
    let trust = ports.upstream.isEmpty ? [] : [Provisioning.Start.trustHole]
    let names = names(root, addresses: ports.downstream + ports.upstream, besides: trust, isBeforeLogin: true)
    let holes = told.flatMap { (try? Template($0))?.holeNames ?? [] }
    let silent = ports.downstream.filter { !fixed(root).contains($0) && !holes.contains($0.rawValue) }.map { service in
      JSONField.Problem(
        path: start.path, expected: "${\(service).port} in 'program' or 'environment', or '\(service)' in 'urls'",
        found: "neither: the program does not know where '\(service)' has to listen")
    }
    return told.flatMap { names.problems(of: $0) } + silent
  }

  /// The services whose addresses are known before the subject starts, because the file or the command line contains
  /// them.
  private func fixed(_ root: JSONField) -> Set<ServiceName> {
    let inFile = (root.member("urls")?.value.object?.keys ?? []).map { ServiceName($0) }
    return use.addressed.union(inFile).union(root.member("url") == nil ? [] : ports.downstream)
  }

  /// A problem if the kit cannot start as many processes of the subject as `slots` demands, or if one process is
  /// enough.
  private func strangeSlots(_ root: JSONField) -> [JSONField.Problem] {
    guard let slots = root.member("slots") else { return [] }
    if root.member("start") == nil {
      return [
        .init(
          path: slots.path, expected: "'start' beside it, by which the kit starts so many processes", found: "none",
          hint: "a subject that is there already is one: leave 'slots' out")
      ]
    }
    guard let count = slots.value.int, count > 1 else { return [] }
    if let service = ports.downstream.first(where: fixed(root).contains) {
      return [
        .init(
          path: slots.path, expected: "1 where '\(service)' has a fixed address", found: "\(count)",
          hint: "two processes cannot listen at one address; without 'urls' each gets a port of its own")
      ]
    }
    guard ports.upstream.isEmpty else { return [] }
    return [
      .init(
        path: slots.path, expected: "1 for a subject that calls no service of the kit", found: "\(count)",
        hint: "one process serves all cases at once: leave 'slots' out")
    ]
  }

  /// Problems of `exchanges` and `answers`: the name of an exchange that does not exist, a request that the protocol
  /// already defines, or a hole without a value.
  private func strangeRequests(_ root: JSONField) -> [JSONField.Problem] {
    let bound = exchanges.filter(\.isBound)
    return unknown(root.member("exchanges"), "a bound exchange", bound.map(\.name))
      + unknown(root.member("answers"), "an exchange", exchanges.map(\.name))
      + bound.flatMap { exchange -> [JSONField.Problem] in
        guard let field = root.member("exchanges")?.member(exchange.name) else { return [] }
        return names(
          root, addresses: ports.downstream, besides: (exchange.boundHoles ?? []) + HoleName.common.sorted()
        ).problems(of: field)
      }
  }

  /// Problems of `probe`: an exchange whose request is not defined, a service in `reaches` that the subject never
  /// calls, or a hole without a value.
  private func strangeProbe(_ root: JSONField) -> [JSONField.Problem] {
    guard let probe = root.member("probe") else { return [] }
    let known = ports.upstream.map(\.rawValue).sorted()
    let called =
      known.isEmpty ? "a service that the subject calls, of which there are none" : "a service that the subject calls: "
    let services = ((try? probe.member("reaches")?.elements()) ?? []).filter { !known.contains($0.value.string ?? "") }
      .map { $0.problem(expected: called + known.joined(separator: ", ")) }
    let names = names(root, addresses: ports.downstream, besides: HoleName.common.sorted())
    let holes = probe.member("with").map { names.problems(of: $0) } ?? []
    return services + holes + strangeExchange(of: probe, root)
  }

  private func strangeExchange(of probe: JSONField, _ root: JSONField) -> [JSONField.Problem] {
    guard let field = probe.member("exchange"), let name = field.value.string else { return [] }
    let bindings = root.member("exchanges")?.value.object?.keys ?? []
    guard let exchange = exchanges.first(where: { $0.name == name }),
      bindings.contains(name) || !exchange.requests.isEmpty
    else {
      var problem = field.problem(expected: "an exchange that 'exchanges' says how to ask for")
      problem.hint = Nearest.suggestion(for: name, in: bindings)
      return [problem]
    }
    guard ports.downstream.contains(exchange.service) else {
      return [
        field.problem(
          expected: "an exchange at a service that the subject offers: "
            + ports.downstream.map(\.rawValue).joined(separator: ", "))
      ]
    }
    let given = probe.member("with")?.value.object?.keys ?? []
    let known = names(root, addresses: ports.downstream, besides: HoleName.common.sorted() + given)
    let defaults = exchange.bindings(nil)?.values.keys.map(\.self) ?? []
    return holes(of: exchange, root).filter { !known.isFilled($0) && !defaults.contains($0.base) }.map { hole in
      JSONField.Problem(
        path: probe.path, expected: "a value for ${\(hole)} of '\(name)' in 'with'", found: "none",
        hint: Nearest.suggestion(for: hole, in: given))
    }
  }

  /// The holes for which a probe must provide values, because its exchange needs them. If the file defines the request
  /// of the exchange, these are the holes that cases otherwise fill.
  private func holes(of exchange: Exchange, _ root: JSONField) -> [String] {
    let bound = root.member("exchanges")?.member(exchange.name).flatMap { try? Template($0) }
    let names =
      bound.map { $0.node.requiredHoles.filter { (exchange.boundHoles ?? []).contains($0.base) } }
      ?? exchange.requests.values.flatMap(\.requiredHoles)
    return Set(names).sorted()
  }

  /// Problems of a hook: holes without a value, and problems of its maps.
  private func strangeHoles(
    _ hook: JSONField, _ command: ProtocolDefinition.Command, _ root: JSONField
  ) -> [JSONField.Problem] {
    let given = command.params["properties"]?.object?.keys ?? []
    return strangeHoles(hook, given: given, schemas: command.params["properties"]?.object ?? [:], root)
  }

  private func strangeHoles(
    _ hook: JSONField, given: [String], schemas: JSON.Object = [:], isBeforeLogin: Bool = false, _ root: JSONField
  ) -> [JSONField.Problem] {
    let given = given + (sharesAddress(root) ? ["server.url"] : []) + ["now"]
    let maps = (try? hook.member("map")?.members()) ?? []
    // A map that uses the answer has no value before the answer.
    let early = maps.filter { (try? Template($0.field))?.holeNames.contains("answer") != true }.map(\.key)
    let parts = [
      ("program", given), ("http", given + early), ("map", given + ["answer"]),
      ("result", given + maps.map(\.key) + ["answer"]),
    ]
    let holes = parts.flatMap { key, besides -> [JSONField.Problem] in
      guard let part = hook.member(key) else { return [] }
      var names = names(root, addresses: ports.downstream, besides: besides, isBeforeLogin: isBeforeLogin)
      for member in schemas.members { names.schemas[member.key] = member.value }
      return names.problems(of: part)
    }
    return holes + maps.flatMap { strangeWords($0.field, schemas) }
  }

  /// Problems of `logins`: a value that the protocol does not define, a value that `values` contains, too, or a hole
  /// without a value.
  private func strangeLogins(_ root: JSONField) -> [JSONField.Problem] {
    let given = root.member("values")?.value.object?.keys ?? []
    return unknown(root.member("logins"), "a value of the protocol", definition.values.map(\.name))
      + ((try? root.member("logins")?.members()) ?? []).flatMap { name, field in
        let twice =
          given.contains(name) ? [field.problem(expected: "'\(name)' in 'values' or in 'logins', not in both")] : []
        return twice + strangeHoles(field, given: [], isBeforeLogin: true, root)
      }
  }

  /// Whether the hole `server.url` is unambiguous: there is only one service, or all services have the same base URL.
  private func sharesAddress(_ root: JSONField) -> Bool {
    let urls = (root.member("urls")?.value.object?.members ?? []).compactMap(\.value.string)
      .map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    return ports.downstream.count == 1 || urls.count == ports.downstream.count && Set(urls).count == 1
  }

  /// Problems of a map for a parameter that allows only certain words: the map contains a different word, or lacks one
  /// of these words.
  private func strangeWords(_ map: JSONField, _ schemas: JSON.Object) -> [JSONField.Problem] {
    guard let of = map.member("of")?.value.string, let to = map.member("to"), of.hasPrefix("${"), of.hasSuffix("}"),
      let words = schemas[String(of.dropFirst(2).dropLast())]?["enum"]?.array?.compactMap(\.string)
    else { return [] }
    let given = to.value.object?.keys ?? []
    let unknown = given.filter { !words.contains($0) }.map { word in
      JSONField.Problem(
        path: to.path.appending(key: word), expected: "a word of \(of): " + words.joined(separator: ", "),
        found: "'\(word)'", hint: Nearest.suggestion(for: word, in: words))
    }
    let missing = words.filter { !given.contains($0) }
    guard unknown.isEmpty, !missing.isEmpty else { return unknown }
    return [
      .init(
        path: to.path, expected: "each word of \(of): " + words.joined(separator: ", "),
        found: "none for " + missing.joined(separator: ", "))
    ]
  }

  /// The names of the values that log-in requests obtain.
  private func loggedIn(_ root: JSONField) -> [String] { root.member("logins")?.value.object?.keys ?? [] }

  /// The names that holes in a part of the file may use: those in `besides`, the values and limits in the file, and the
  /// addresses of these services.
  private func names(
    _ root: JSONField, addresses: [ServiceName], besides: [String] = [], isBeforeLogin: Bool = false
  ) -> LentHoleNames {
    let limits = (root.member("limits")?.value.object?.keys ?? []).map { "limits.\($0)" }
    let places = addresses.flatMap { service in HoleName.addressParts.map { "\(service).\($0)" } }
    return LentHoleNames(
      known: besides + (root.member("values")?.value.object?.keys ?? []) + (isBeforeLogin ? [] : loggedIn(root))
        + places + limits,
      possible: Set(definition.values.map(\.name)))
  }
}

extension ProtocolDefinition {
  /// All ports of roles that offer a service, together.
  fileprivate var lentPorts: Ports {
    let lent = roles.map(\.ports).filter { !$0.downstream.isEmpty }
    return Ports(
      upstream: Set(lent.flatMap(\.upstream)).sorted(), downstream: Set(lent.flatMap(\.downstream)).sorted())
  }
}
