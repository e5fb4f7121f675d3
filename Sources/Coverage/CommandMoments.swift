import ConformanceModel
import ConformanceSpec
import JSONKit

/// The number of cases in which an app calls each command in each phase of its life.
package struct CommandMoments {
  /// The phase of a call.
  package enum Moment: String, CaseIterable, Sendable {
    case before, during, reply, failure, clear, reset, launch, offline

    var text: String {
      switch self {
      case .before: "before the subject is set up"
      case .during: "while it is being set up"
      case .reply: "directly after a reply or a callback"
      case .failure: "after something that it asked a server for has failed"
      case .clear: "after what is stored was wiped"
      case .reset: "after the subject was reset"
      case .launch: "in a later launch on the same storage"
      case .offline: "while there is no network"
      }
    }
  }

  /// The table with the reasons of `coverage.yaml`.
  package let grid: CoverageGrid
  /// The table without these reasons.
  package let bare: CoverageGrid

  package init(_ sources: CatalogueSources) {
    self.init(sources, scenarios: sources.scenarioSites)
  }

  package init(_ sources: CatalogueSources, scenarios: [ScenarioSite]) {
    let definition = sources.definition.value
    let driven = definition.drivenRoles
    let failing = Self.failingResponses(sources)
    var cases: [String: [Moment: Set<CaseID>]] = [:]
    for site in scenarios where driven.contains(site.role) {
      var walk = AppLife(definition, failing: failing)
      walk.pass(site)
      for call in walk.calls {
        for moment in call.moments {
          cases[call.command, default: [:]][moment, default: []].insert(site.located.value.id)
        }
      }
    }
    let commands = definition.commands.filter { command in command.roles.contains(where: driven.contains) }
    let known = Moment.allCases.map { Self.exists($0, definition) }
    let rows = commands.map { command in
      let cells = zip(Moment.allCases, known).map { moment, exists in
        exists ? CoverageGrid.Cell(count: cases[command.name]?[moment]?.count ?? 0, reason: nil) : nil
      }
      return CoverageGrid.Row(group: "", name: command.name, cells: cells)
    }
    let columns = Moment.allCases.map { CoverageGrid.Column(name: $0.rawValue, heading: $0.rawValue, text: $0.text) }
    bare = CoverageGrid(columns: columns, rows: rows, unit: "cases")
    grid = bare.explained(by: sources.coverage.moments.map(\.value))
  }

  private static func exists(_ moment: Moment, _ definition: ProtocolDefinition) -> Bool {
    switch moment {
    case .before, .during: !definition.moments.setUp.isEmpty
    case .clear: !definition.moments.clear.isEmpty
    case .reset: !definition.moments.reset.isEmpty
    case .failure, .offline: definition.drivenRoles.contains { !definition.ports(of: $0).upstream.isEmpty }
    case .reply, .launch: true
    }
  }

  /// The golden answers with an error status, as pairs of the names of exchange and response.
  private static func failingResponses(_ sources: CatalogueSources) -> Set<[String]> {
    Set(
      sources.exchanges.flatMap { located in
        located.value.responses.filter { $0.value.values.contains { $0.status >= 400 } }.map {
          [located.value.name, $0.key]
        }
      })
  }
}

/// Follows the steps of a scenario, and records the phases that the app has reached.
private struct AppLife {
  private enum Phase {
    case notSetUp, settingUp, setUp
  }

  private(set) var calls: [(command: String, moments: Set<CommandMoments.Moment>)] = []

  private let definition: ProtocolDefinition
  private let failing: Set<[String]>
  private var phase = Phase.notSetUp
  /// The label of the set-up call, if the reply to this call ends the set-up.
  private var settingUp: String?
  /// The phases that the app has reached and that never end.
  private var past: Set<CommandMoments.Moment> = []
  /// The faults and answers that will make later requests fail.
  private var armed: Set<String> = []
  private var unreachable: Set<String> = []
  /// The answers that the mock holds back. Commands that wait for one of them do not end.
  private var held: Set<String> = []
  private var isToldOffline = false
  private var hasJustHeard = false

  init(_ definition: ProtocolDefinition, failing: Set<[String]>) {
    self.definition = definition
    self.failing = failing
  }

  mutating func pass(_ scenario: ScenarioSite) {
    note(facts: .object(scenario.scenario.environment))
    let settingUp = Set(
      scenario.steps.compactMap { site in site.step.action.calledCommand.map(isSetUp) ?? false ? site.group : nil })
    for site in scenario.steps {
      if case .call(let call) = site.step.action {
        let isBeside = site.group.map(settingUp.contains) ?? false && !isSetUp(call.command)
        pass(call, labelled: site.step.label?.source.string, beside: isBeside, alone: site.group == nil)
      } else {
        pass(site.step.action)
      }
    }
  }

  private func isSetUp(_ command: String) -> Bool { definition.moments.setUp.contains(command) }

  private mutating func pass(_ call: Step.Call, labelled label: String?, beside isBeside: Bool, alone isAlone: Bool) {
    var moments = past
    if phase == .notSetUp, !isBeside { moments.insert(.before) }
    if phase == .settingUp || isBeside { moments.insert(.during) }
    if hasJustHeard, isAlone { moments.insert(.reply) }
    if isToldOffline || !unreachable.isEmpty { moments.insert(.offline) }
    calls.append((call.command, moments))
    note(facts: call.params.source)
    fail()
    // If a command reports its outcome by a callback, its reply only confirms the call.
    let tellsLater = definition.commands.first { $0.name == call.command }?.callback != nil
    if isSetUp(call.command), call.need != .fails {
      phase = call.waits && !tellsLater ? .setUp : .settingUp
      settingUp = tellsLater ? nil : label
    }
    if definition.moments.clear.contains(call.command) { past.insert(.clear) }
    if definition.moments.reset.contains(call.command) {
      past.insert(.reset)
      phase = .notSetUp
    }
    hasJustHeard = call.waits
  }

  private mutating func pass(_ action: Step.Action) {
    switch action {
    case .fault(let fault):
      if fault.kind.isFailure { armed.insert("fault \(fault.exchange ?? "")") }
      if fault.kind.isPause { held.insert(fault.exchange ?? "") }
      if fault.kind == .refuse { unreachable.insert(fault.exchange ?? "") }
    case .answer(let answer):
      let isFailure = answer.status.map { $0 >= 400 } ?? failing.contains([answer.exchange, answer.response])
      if isFailure { armed.insert("answer \(answer.exchange)") } else { armed.remove("answer \(answer.exchange)") }
    case .heal(let scope):
      armed = armed.filter { one in scope.exchange.map { one != "fault \($0)" } ?? !one.hasPrefix("fault ") }
      unreachable = scope.exchange.map { unreachable.subtracting([$0]) } ?? []
      release(scope)
    case .release(let scope): release(scope)
    case .surroundings(let facts): note(facts: facts.source)
    case .restart(let restart):
      phase = .notSetUp
      past = restart.keepsStorage ? past.union([.launch]) : []
      note(facts: restart.environment.source)
    case .settle:
      fail()
      if phase == .settingUp, held.isEmpty { phase = .setUp }
    case .await(let wait):
      fail()
      if phase == .settingUp, ends(wait.target) { phase = .setUp }
    case .advance: fail()
    default: return
    }
    if case .await(let wait) = action { hasJustHeard = wait.target.isOfApp } else { hasJustHeard = false }
  }

  /// Whether the awaited observation ends the set-up: the reply to the set-up call, or the callback with its outcome.
  private func ends(_ target: Step.Await.Target) -> Bool {
    guard let settingUp else { return target.isOfApp }
    switch target {
    case .reply(let label): return label == settingUp
    case .observed(let selector): return selector.subject == .reply(label: settingUp)
    }
  }

  private mutating func release(_ scope: Step.Scope) {
    held = scope.exchange.map { held.subtracting([$0]) } ?? []
  }

  /// Notes that requests have failed, if faults are armed. Called after enough time for requests has passed.
  private mutating func fail() {
    if !armed.isEmpty { past.insert(.failure) }
  }

  /// Notes whether the network is available, as the facts describe it.
  private mutating func note(facts: JSON) {
    for template in definition.moments.offline {
      let keys = template.source.object?.members.map(\.key) ?? []
      guard keys.contains(where: { facts[$0] != nil }) else { continue }
      isToldOffline = template.fits(facts)
    }
  }
}

extension Fault.Kind {
  /// Whether the fault holds back an answer, or a part of an answer, without a time limit.
  fileprivate var isPause: Bool {
    switch self {
    case .hold, .hang, .stall: true
    default: false
    }
  }

  /// Whether the fault makes a request fail, and does not only delay the answer.
  fileprivate var isFailure: Bool {
    switch self {
    case .hold, .delay, .drip: false
    case .status(let status): status >= 300
    default: true
    }
  }
}

extension Step.Await.Target {
  /// Whether the app receives the observation: a reply or a callback.
  fileprivate var isOfApp: Bool {
    switch self {
    case .reply: true
    case .observed(let selector):
      if case .callback = selector.subject { true } else if case .reply = selector.subject { true } else { false }
    }
  }
}
