import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit

extension Linter {
  /// Rules about the server that `server.yaml` defines: all names in the file exist, and every request gets a complete
  /// answer.
  static let serverRules = [
    LintRule("server-exchange", "A rule of the server names exchanges, dialects and responses that exist.") {
      subject in
      subject.serverRules { ServerRuleCheck(subject, $0, $1, $2).unknownWords }
    },
    LintRule("server-rule", "A rule of the server answers, or does something before another one does.") { subject in
      subject.serverRules { ServerRuleCheck(subject, $0, $1, $2).idleness }
    },
    LintRule("server-order", "A request can reach every rule of the server.") { subject in
      guard let site = subject.server else { return [] }
      let flows = subject.serverFlows
      return site.located.value.rules.indices.filter { number in
        let own = flows.filter { site.located.value.rules[number].isFor($0.exchange.name, in: $0.dialect) }
        return !own.isEmpty && own.allSatisfy { $0.flow.unreachable.contains(number) }
      }.map { number in
        LintFinding(
          in: site.located.document, at: site.path(ofRule: number), expected: "a rule that a request gets to",
          found: "one behind rules that answer whatever is asked", hint: "put it before them, or take it out")
      }
    },
    LintRule("server-answer", "Each exchange that the server can receive has an answer.") { subject in
      guard let site = subject.server else { return [] }
      let silent = subject.serverFlows.filter {
        !$0.flow.isAnswered && subject.servedServices.contains($0.exchange.service)
      }
      return Dictionary(grouping: silent, by: \.exchange.name).sorted { $0.key < $1.key }.map { name, flows in
        LintFinding(
          in: site.located.document, at: site.located.path.appending(key: "rules"),
          expected: "a rule without conditions for '\(name)', or its response 'default'",
          found: "neither in " + flows.map(\.dialect.rawValue).sorted().joined(separator: ", "))
      }
    },
    LintRule("server-hole", "The holes of the server's answers have values when they are filled.") { subject in
      guard let site = subject.server else { return [] }
      return subject.serverFlows.flatMap { entry in
        entry.flow.lacks.map { lack in
          let path = lack.rule.map { site.path(ofRule: $0) } ?? site.located.path.appending(key: "rules")
          let response =
            lack.rule.flatMap { site.located.value.rules[$0].answer?.response } ?? ServerDefinition.fallback
          return LintFinding(
            in: site.located.document, at: path,
            expected: "a value for ${\(lack.hole)} of '\(response)' of \(entry.exchange.name)",
            found: lack.isFilledSometimes ? "one that may be absent" : "none",
            hint: lack.isFilledSometimes ? "have a rule before it answer where it is absent" : "give it in 'with'")
        }
      }
    },
    LintRule("server-name", "Each name in the server's rules has a value.") { subject in
      guard let site = subject.server else { return [] }
      return site.templates.flatMap { subject.unknownNames(of: $0, site) }
        + site.names.compactMap { subject.problem($0.name, at: $0.path, $0.known, isDefinition: false, site) }
    },
    LintRule("server-state", "Each state of the server is written by one rule and read by another.") { subject in
      subject.server.map(stateFindings) ?? []
    },
    LintRule("server-command", "The server knows the commands for operators, and no others.") { subject in
      guard let site = subject.server else { return [] }
      let document = site.located.document
      let commands = subject.definition.operatorCommands.map(\.name)
      let path = site.located.path.appending(key: "commands")
      let unknown = site.located.value.operations.compactMap { operation in
        LintFinding(
          in: document, at: path.appending(key: operation.command), unknown: operation.command,
          "a command for operators", known: commands)
      }
      let answered = site.located.value.operations.map(\.command)
      let missing = commands.filter { !answered.contains($0) }
      let place = site.located.value.operations.isEmpty ? site.located.path : path
      return unknown
        + missing.map {
          LintFinding(
            in: document, at: place, expected: "what '\($0)' does", found: "nothing",
            hint: "write it under 'commands', or 'fails' with the reason")
        }
    },
    LintRule(
      "server-switch", "A switch in the server's rules is a defect or a variant of a side that the server plays."
    ) {
      subject in
      guard let site = subject.server else { return [] }
      let sides = subject.definition.roles.filter { !$0.ports.hasDriver && $0.ports.upstream.isEmpty }.map(\.role)
      let defects = subject.sources.defects.map(\.value).filter { $0.bend == nil }.map { ($0.id, $0.side) }
      let variants = subject.sources.variants.map { ($0.value.id, $0.value.side) }
      let known = Set((defects + variants).filter { sides.contains($0.1) }.map(\.0))
      return site.switches.flatMap { one in
        (one.switch.unless.map { ($0, "unless") } + one.switch.only.map { ($0, "only") })
          .filter { !known.contains($0.0) }.compactMap { id, key in
            LintFinding(
              in: site.located.document, at: one.path.appending(key: key), unknown: id.rawValue,
              "a defect without 'bend', or a variant, of " + sides.map(\.rawValue).joined(separator: " or "),
              known: known.map(\.rawValue))
          }
      }
    },
    LintRule("server-value", "The server provides values that the protocol has.") { subject in
      guard let site = subject.server else { return [] }
      return site.located.value.values.values.keys.sorted().compactMap { name in
        LintFinding(
          in: site.located.document, at: site.located.path.appending(key: "values").appending(key: name), unknown: name,
          "a name of 'values' in protocol.yaml", known: subject.definition.values.map(\.name))
      }
    },
  ]

  private static func stateFindings(of site: ServerSite) -> [LintFinding] {
    let states = site.located.value.states
    let document = site.located.document
    let (read, set) = (site.statesRead, Set(site.effects.filter(\.sets).map(\.state)))
    let unknown = site.effects.compactMap {
      LintFinding(in: document, at: $0.path, unknown: $0.state, "a state", known: states.map(\.name))
    }
    return unknown
      + states.flatMap { state -> [LintFinding] in
        let path = site.located.path.appending(key: "state").appending(key: state.name)
        func finding(_ expected: String, _ found: String, _ hint: String) -> LintFinding {
          LintFinding(in: document, at: path, expected: expected, found: found, hint: hint)
        }
        var findings: [LintFinding] = []
        if !set.contains(state.name), state.initial == nil, state.entries.members.isEmpty {
          findings.append(finding("a rule that sets '\(state.name)'", "none", "keep it, or say what it 'starts' as"))
        }
        if !read.contains(state.name) {
          findings.append(finding("a rule that asks for '\(state.name)'", "none", "take it out"))
        }
        if site.located.value.isRecursive(state) {
          findings.append(finding("keys that do not lead back to '\(state.name)'", "some that do", "change 'per'"))
        }
        return findings
      }
  }
}

extension LintSubject {
  /// The way in which the server of `server.yaml` answers the requests of an exchange in a dialect.
  struct ServedExchange {
    var exchange: Exchange
    var dialect: Dialect
    var flow: ServerFlow
  }

  var server: ServerSite? {
    sources.server.map {
      ServerSite($0, exchanges: catalogue.exchanges, commands: definition.operatorCommands)
    }
  }

  var serverFlows: [ServedExchange] {
    guard let server = sources.server?.value else { return [] }
    return catalogue.exchanges.flatMap { exchange in
      definition.dialects.filter { exchange.request(in: $0) != nil }.map { dialect in
        ServedExchange(exchange: exchange, dialect: dialect, flow: ServerFlow(server, exchange, in: dialect))
      }
    }
  }

  /// The services that a mock or an embedded server plays.
  fileprivate var servedServices: Set<ServiceName> {
    definition.roles.map(\.ports).reduce(into: []) { services, ports in
      services.formUnion(ports.upstream)
      if !ports.hasDriver, ports.upstream.isEmpty { services.formUnion(ports.downstream) }
    }
  }

  fileprivate func serverRules(
    _ find: (Located<ServerDefinition>, Int, ServerDefinition.Rule) -> [LintFinding]
  ) -> [LintFinding] {
    guard let server = sources.server else { return [] }
    return server.value.rules.enumerated().flatMap { find(server, $0.offset, $0.element) }
  }

  fileprivate func unknownNames(of template: ServerSite.TemplateSite, _ site: ServerSite) -> [LintFinding] {
    template.template.fullHoleNames.compactMap { name in
      if template.captures, !name.contains(".") { return nil }
      return problem(name, at: template.path, template.known, isDefinition: template.isDefinition, site)
    }
  }

  /// The finding that the name at `path` does not exist, or is not allowed there. nil for a valid name. `known`
  /// contains the local names that have a value at this path.
  fileprivate func problem(
    _ text: String, at path: JSONPath, _ known: Set<String>, isDefinition: Bool, _ site: ServerSite
  ) -> LintFinding? {
    let document = site.located.document
    guard let name = ServerName(text) else {
      return LintFinding(
        in: document, at: path, expected: "state.NAME, values.NAME, now.plus.10m, now.ms, random.uuid or random.hex.32",
        found: "'\(text)'")
    }
    switch name.source {
    case .local(let word):
      return LintFinding(in: document, at: path, unknown: word, "a name that has a value here", known: known)
    case .state(let word), .ended(let word), .end(let word):
      return LintFinding(
        in: document, at: path, unknown: word, "a state", known: site.located.value.states.map(\.name))
    case .value(let word):
      return LintFinding(
        in: document, at: path, unknown: word, "one of 'values'", known: site.located.value.values.values.keys)
    case .random where !isDefinition:
      return LintFinding(
        in: document, at: path, expected: "a value that is drawn under a name", found: "'\(text)'",
        hint: "draw it in 'let'")
    case .random, .serial, .now: return nil
    }
  }
}

/// The findings about one rule of the server.
private struct ServerRuleCheck {
  let subject: LintSubject
  let server: Located<ServerDefinition>
  let rule: ServerDefinition.Rule
  let path: JSONPath

  init(_ subject: LintSubject, _ server: Located<ServerDefinition>, _ number: Int, _ rule: ServerDefinition.Rule) {
    self.subject = subject
    self.server = server
    self.rule = rule
    path = server.path.appending(key: "rules").appending(index: number)
  }

  var unknownWords: [LintFinding] {
    let known = subject.catalogue.exchanges.filter { !$0.isBound }.map(\.name)
    let exchanges = rule.exchanges.compactMap {
      LintFinding(
        in: server.document, at: path.appending(key: "to"), unknown: $0, "an exchange with a request", known: known)
    }
    let dialects = rule.dialects.compactMap {
      LintFinding(
        in: server.document, at: path.appending(key: "dialects"), unknown: $0.rawValue, "a dialect",
        known: subject.dialects)
    }
    return exchanges + dialects + unknownResponses
  }

  private var unknownResponses: [LintFinding] {
    guard let answer = rule.answer else { return [] }
    return subject.catalogue.exchanges.flatMap { exchange in
      let dialects = subject.definition.dialects.filter {
        rule.isFor(exchange.name, in: $0) && exchange.request(in: $0) != nil
          && exchange.response(answer.response, in: $0) == nil
      }
      guard !dialects.isEmpty else { return [LintFinding]() }
      return [
        LintFinding(
          in: server.document, at: path.appending(key: "give"),
          expected: "a response of '\(exchange.name)' in " + dialects.map(\.rawValue).joined(separator: ", "),
          found: "'\(answer.response)'", hint: Nearest.suggestion(for: answer.response, in: exchange.responses.keys))
      ]
    }
  }

  var idleness: [LintFinding] {
    guard rule.answer == nil else { return [] }
    let written = server.document.value[path]?.object?.keys ?? []
    let idle = written.filter { ["set", "remove", "headers", "status"].contains($0) }
    let misplaced = idle.map {
      LintFinding(
        in: server.document, at: path.appending(key: $0), expected: "'give', the response that this changes",
        found: "none")
    }
    let captured = rule.request?.plainHoleNames ?? []
    guard rule.change.definitions.isEmpty, rule.change.effects.isEmpty, rule.change.further.isEmpty,
      rule.holes.isEmpty, captured.isEmpty
    else { return misplaced }
    return misplaced + [
      LintFinding(
        in: server.document, at: path, expected: "'give', or something that the rule does before another one answers",
        found: "neither")
    ]
  }
}
