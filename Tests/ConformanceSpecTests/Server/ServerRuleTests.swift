import ConformanceSpec
import Testing

/// The diagnostics of reading and lint for a server as data.
@Suite struct ServerRuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var rule: String
    var old: String
    var new: String
    var expected: [String]
    var testDescription: String { "\(rule): \(new)" }

    init(_ rule: String, _ old: String, _ new: String, _ expected: String...) {
      self.rule = rule
      self.old = old
      self.new = new
      self.expected = expected
    }
  }

  /// The lint rules with a bad example here.
  static let rules = Set((towers + tokens).map(\.rule))

  @Test(arguments: [ServerSample.towers, ServerSample.tokens])
  func theExamplesOfThePageAreRight(sample: @Sendable () throws -> ServerSample) async throws {
    #expect(try await sample().complaints().map(\.description) == [])
  }

  @Test(arguments: towers) func everyRuleFindsWhatItIsFor(row: Row) async throws {
    try await check(row, ServerSample.towers())
  }

  @Test(arguments: tokens) func everyRuleFindsWhatItIsForAmongTokens(row: Row) async throws {
    try await check(row, ServerSample.tokens())
  }

  private func check(_ row: Row, _ sample: ServerSample) async throws {
    let found = try await sample.replacing(row.old, with: row.new).complaints()
    let prefix = "\(ServerSample.path):"
    #expect(
      found.filter { $0.rule == row.rule }.map { String($0.description.trimmingPrefix(prefix)) } == row.expected,
      "\(found.map { "\($0.rule): \($0)" })")
  }

  private static let towers = [
    Row(
      "schema", "    give: issued ", "    gives: issued ",
      "14:5: error: $.rules[1].gives: expected one of the members to, dialects, when, let, while, add, append, include, exclude, keep, expire, forget, also, give, with, set, remove, headers, status, unless, only, found \"gives\" — did you mean \"give\"?"
    ),
    Row(
      "schema", "per: [tower, id] }", "per: [] }",
      "7:12: error: $.state.shown.per: expected at least 1 elements, found 0"
    ),
    Row(
      "value", "for: 10m }", "for: ten }",
      "5:26: error: $.state.keeperOf.for: expected a time such as 800ms, 5s, 90m or 48h, found \"ten\""
    ),
    Row(
      "value", "{ starts: dawn }", "{ holds: { a: b } }",
      "4:12: error: $.state.watch.holds: expected 'per', whose keys these are, found none — say 'starts'"
    ),
    Row(
      "value", "{ per: pass, for", "{ per: now.x, for",
      "5:15: error: $.state.keeperOf.per: expected a name: of a hole, or of a state such as state.contact, found \"now.x\""
    ),
    Row(
      "server-exchange", "{ to: issue, give: unauthorized }", "{ to: isue, give: unauthorized }",
      "15:7: error: $.rules[2].to: expected an exchange with a request: issue, signal, found 'isue' — did you mean \"issue\"?"
    ),
    Row(
      "server-exchange", "{ to: issue, give: unauthorized }", "{ to: issue, dialects: [two], give: unauthorized }",
      "15:18: error: $.rules[2].dialects: expected a dialect: one, found 'two'"
    ),
    Row(
      "server-exchange", "{ to: issue, give: unauthorized }", "{ to: issue, give: unauthorised }",
      "15:18: error: $.rules[2].give: expected a response of 'issue' in one, found 'unauthorised' — did you mean \"unauthorized\"?"
    ),
    Row(
      "server-rule", "{ to: issue, give: unauthorized }", "{ to: issue, give: unauthorized }\n  - { to: signal }",
      "16:5: error: $.rules[3]: expected 'give', or something that the rule does before another one answers, found neither"
    ),
    Row(
      "server-rule", "    give: issued ", "    status: 202 ",
      "14:5: error: $.rules[1].status: expected 'give', the response that this changes, found none"
    ),
    Row(
      "server-order", "{ to: issue, give: unauthorized }",
      "{ to: issue, give: unauthorized }\n  - { to: issue, while: { keeper: anna }, give: unauthorized }",
      "16:5: error: $.rules[3]: expected a rule that a request gets to, found one behind rules that answer whatever is asked — put it before them, or take it out"
    ),
    Row(
      "server-answer", "  - { to: issue, give: unauthorized }\n", "",
      "8:1: error: $.rules: expected a rule without conditions for 'issue', or its response 'default', found neither in one"
    ),
    Row(
      "server-hole", "with: { seq: \"${state.count}\" }", "with: { number: \"${state.count}\" }",
      "19:5: error: $.rules[6]: expected a value for ${seq} of 'shown' of signal, found none — give it in 'with'"
    ),
    Row(
      "server-hole", "  - { to: signal, while: { state.shown",
      "  - { to: signal, give: shown, while: { id: a } }\n  - { to: signal, while: { state.shown",
      "18:5: error: $.rules[5]: expected a value for ${seq} of 'shown' of signal, found none — give it in 'with'"
    ),
    Row(
      "server-name", "key: \"${values.apiKey}\"", "key: \"${values.key}\"",
      "11:14: error: $.rules[1].while.key: expected one of 'values': apiKey, found 'key' — did you mean \"apiKey\"?"
    ),
    Row(
      "server-name", "key: \"${values.apiKey}\"", "kei: \"${values.apiKey}\"",
      "11:14: error: $.rules[1].while.kei: expected a name that has a value here: keeper, key, found 'kei' — did you mean \"key\"?"
    ),
    Row(
      "server-name", "with: { watch: \"${state.watch}-${serial}\" }",
      "with: { watch: \"${state.wach}-${random.uuid}\" }",
      "9:13: error: $.rules[0].with.watch: expected a state: count, keeperOf, shown, watch, found 'wach' — did you mean \"watch\"?",
      "9:13: error: $.rules[0].with.watch: expected a value that is drawn under a name, found 'random.uuid' — draw it in 'let'"
    ),
    Row(
      "server-name", "with: { watch: \"${state.watch}-${serial}\" }", "with: { watch: \"${state.watch}-${now.then}\" }",
      "9:13: error: $.rules[0].with.watch: expected state.NAME, values.NAME, now.plus.10m, now.ms, random.uuid or random.hex.32, found 'now.then'"
    ),
    Row(
      "server-name", "per: [tower, id]", "per: [tower, signal]",
      "7:12: error: $.state.shown.per: expected a name that has a value here: id, keeper, key, pass, tower, watch, found 'signal'"
    ),
    Row(
      "server-state", "  count: {", "  lit: { starts: 0 }\n  count: {",
      "6:3: error: $.state.lit: expected a rule that asks for 'lit', found none — take it out"
    ),
    Row(
      "server-state", "add: { count: 1 }", "add: { cont: 1 }",
      "19:26: error: $.rules[6].add.cont: expected a state: count, keeperOf, shown, watch, found 'cont' — did you mean \"count\"?"
    ),
    Row(
      "server-state", "keep: { keeperOf: guest }", "append: { unknown: guest }",
      "21:26: error: $.commands.grantPass.append.unknown: expected a state: count, keeperOf, shown, watch, found 'unknown'"
    ),
    Row(
      "server-state", "per: [tower, id]", "per: [tower, state.shown]",
      "7:3: error: $.state.shown: expected keys that do not lead back to 'shown', found some that do — change 'per'"
    ),
    Row(
      "server-command", "  setWatch: {", "  setClock: {",
      "20:1: error: $.commands: expected what 'setWatch' does, found nothing — write it under 'commands', or 'fails' with the reason",
      "23:3: error: $.commands.setClock: expected a command for operators: expirePass, grantPass, setWatch, found 'setClock'"
    ),
    Row(
      "server-switch", "{ to: issue, give: unauthorized }", "{ to: issue, unless: key.any, give: unauthorized }",
      "15:18: error: $.rules[2].unless: expected a defect without 'bend', or a variant, of server, of which there are none, found 'key.any'"
    ),
    Row(
      "server-switch", "expirePass: { expire: keeperOf }",
      "expirePass: [{ only: pass.for-ever }, { expire: keeperOf }]",
      "22:18: error: $.commands.expirePass[0].only: expected a defect without 'bend', or a variant, of server, of which there are none, found 'pass.for-ever'"
    ),
    Row(
      "server-value", "{ apiKey: key-of-the-station }", "{ apiKei: key-of-the-station }",
      "2:11: error: $.values.apiKei: expected a name of 'values' in protocol.yaml: apiKey, found 'apiKei' — did you mean \"apiKey\"?"
    ),
  ]

  private static let tokens = [
    Row(
      "server-hole", "    with: { state: \"${state.clientState}\" }\n", "",
      "14:5: error: $.rules[2]: expected a value for ${state} of 'registered' of register, found none — give it in 'with'",
      "15:5: error: $.rules[3]: expected a value for ${state} of 'linked' of contact, found none — give it in 'with'",
      "27:5: error: $.rules[8]: expected a value for ${state} of 'taken' of push, found none — give it in 'with'",
      "34:5: error: $.rules[11]: expected a value for ${state} of 'taken' of events, found none — give it in 'with'"
    ),
    Row(
      "server-hole", "while: { client: { $absent: true } }", "while: { client: { $absent: true }, serial: 0 }",
      "15:5: error: $.rules[2]: expected a value for ${state} of 'registered' of register, found one that may be absent — have a rule before it answer where it is absent",
      "16:5: error: $.rules[3]: expected a value for ${state} of 'linked' of contact, found one that may be absent — have a rule before it answer where it is absent",
      "28:5: error: $.rules[8]: expected a value for ${state} of 'taken' of push, found one that may be absent — have a rule before it answer where it is absent",
      "35:5: error: $.rules[11]: expected a value for ${state} of 'taken' of events, found one that may be absent — have a rule before it answer where it is absent"
    ),
    Row(
      "server-state", "pushTokenOf: { returns: \"${state.pushToken}\", while: { state.pushToken: \"${:any}\" } }",
      "pushTokenOf: { fails: nobody }",
      "7:3: error: $.state.pushToken: expected a rule that asks for 'pushToken', found none — take it out"
    ),
  ]
}
