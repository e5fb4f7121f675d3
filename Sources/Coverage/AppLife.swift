import ConformanceModel
import ConformanceSpec
import JSONKit

/// Follows the steps of a scenario. Records the phases of the app in which each command is called, and the changes in
/// each phase.
struct AppLife {
  private enum Phase {
    case notSetUp, settingUp, setUp
  }

  private(set) var calls: [(command: String, moments: Set<CommandMoments.Moment>)] = []
  /// The changes after which the app or the subject acted, each with a phase in which the change happened.
  private(set) var changes: [(moment: CommandMoments.Moment, change: LifeChange)] = []

  private let definition: ProtocolDefinition
  private let kinds: LifeChange.Kinds
  private let failing: Set<[String]>
  private var phase = Phase.notSetUp
  /// The label of the set-up call, if the reply to this call ends the set-up.
  private var settingUp: String?
  /// The reached phases that last until the app starts on an empty storage.
  private var past: Set<CommandMoments.Moment> = []
  /// The faults and answers that will make later requests fail.
  private var armed: Set<String> = []
  private var unreachable: Set<String> = []
  /// The answers that the mock holds back. Commands that wait for one of them do not end.
  private var held: Set<String> = []
  private var isToldOffline = false
  private var hasJustHeard = false
  /// The changes since the last act of the app.
  private var pending: [(moment: CommandMoments.Moment, change: LifeChange)] = []

  init(_ definition: ProtocolDefinition, failing: Set<[String]>, kinds: LifeChange.Kinds) {
    self.definition = definition
    self.failing = failing
    self.kinds = kinds
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
    let moments = moments(beside: isBeside, alone: isAlone)
    calls.append((call.command, moments))
    goOn()
    change(kinds.changes(by: call), at: moments)
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

  /// The phases that the app is in.
  private func moments(beside isBeside: Bool = false, alone isAlone: Bool = true) -> Set<CommandMoments.Moment> {
    var moments = past
    if phase == .notSetUp, !isBeside { moments.insert(.before) }
    if phase == .settingUp || isBeside { moments.insert(.during) }
    if hasJustHeard, isAlone { moments.insert(.reply) }
    if isToldOffline || !unreachable.isEmpty { moments.insert(.offline) }
    return moments
  }

  private mutating func change(_ changes: Set<LifeChange>, at moments: Set<CommandMoments.Moment>) {
    pending += changes.flatMap { change in moments.map { ($0, change) } }
  }

  /// Called when the app or the subject acts. From now on, the pending changes count.
  private mutating func goOn() {
    changes += pending
    pending = []
  }

  private mutating func pass(_ action: Step.Action) {
    if action.isOfTime { goOn() }
    change(kinds.changes(by: action), at: moments())
    switch action {
    case .fault(let fault):
      if fault.kind.isFailure { armed.insert("fault \(fault.exchange ?? "")") }
      if fault.kind.isPause { held.insert(fault.exchange ?? "") }
      if fault.kind == .refuse { unreachable.insert(fault.exchange ?? "") }
    case .answer(let answer):
      let isFailure = answer.status.map { $0 >= 400 } ?? failing.contains([answer.exchange, answer.response])
      if isFailure { armed.insert("answer \(answer.exchange)") } else { armed.remove("answer \(answer.exchange)") }
    case .heal(let scope):
      // A service that could not be reached can be reached again.
      if scope.exchange.map(unreachable.contains) ?? !unreachable.isEmpty { change([.network], at: moments()) }
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

  /// Notes that requests have failed, if a fault or an answer makes them fail. Called after a step that gives the
  /// subject time for requests.
  private mutating func fail() {
    guard !armed.isEmpty else { return }
    change([.retry], at: moments())
    past.insert(.failure)
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

extension Step.Action {
  /// Whether the subject can act while the step waits.
  fileprivate var isOfTime: Bool {
    switch self {
    case .settle, .await, .advance: true
    default: false
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

  /// True if the fault makes a request fail; false if it only delays the answer.
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
