import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Processes
import Recording
import Subjects
import Templates

/// Performs the steps of one case with its ports, one after the other, and marks each step in the transcript.
struct StepPlayer: Sendable {
  /// Performs the second part of a step: waits for replies, and ends the step.
  private typealias Rest = @Sendable () async throws -> Void

  let ports: CasePorts
  /// The variables of the `repeat` steps around the current steps.
  var variables: Bindings = [:]
  /// The entry from which an `await` without `since` counts observations: the beginning of the last step that let the
  /// subject act. So the `await` counts everything that the subject did since the beginning of that step, even before
  /// the `await` itself began, and nothing earlier.
  private var horizon = 0

  init(ports: CasePorts) { self.ports = ports }

  /// Performs the steps that reach the case's `given` states, then the steps of the case. Throws if the case cannot
  /// continue.
  func play(_ scenario: Case.Scenario) async throws {
    var player = self
    for state in scenario.given {
      let begin = ports.recorder.read(\.entries.count)
      do {
        try await player.play(state.steps, at: "\(state.state).")
      } catch let halt as CaseHalt where halt.ending.kind == .preconditionFailed {
        throw CaseHalt(.preconditionFailed, state.obstacle(halt.ending.text))
      }
      if state.steps.contains(where: \.letsSubjectAct) { player.horizon = begin }
    }
    try await player.play(scenario.steps)
  }

  func play(_ steps: [Step], at parent: String = "") async throws {
    var player = self
    for (index, step) in steps.enumerated() {
      let begin = ports.recorder.read(\.entries.count)
      let place = parent + "\(index + 1)"
      try await ports.pause(before: step.title, at: place)
      try await player.begin(step, at: place)()
      if step.letsSubjectAct { player.horizon = begin }
    }
  }

  /// Begins a step. Returns the second part of the step, which waits for the replies and ends the step.
  private func begin(_ step: Step, at place: String) async throws -> Rest {
    let mark = try mark(of: step, at: place)
    ports.recorder.record(.stepBegan(mark))
    let rest = try await filled(mark) { try await start(step.action, mark) }
    return {
      try await filled(mark) { try await rest() }
      if let ending = ports.recorder.stop { throw CaseHalt(ending.kind, ending.text) }
      ports.recorder.record(.stepEnded(mark))
    }
  }

  private func mark(of step: Step, at place: String) throws -> TranscriptEntry.StepMark {
    let unnamed = TranscriptEntry.StepMark(place: place, word: step.title, label: nil)
    guard let label = step.label else { return unnamed }
    do throws(Template.RenderError) {
      return .init(place: place, word: step.title, label: try label.renderText(bindings))
    } catch {
      throw halt(error, unnamed)
    }
  }

  /// Runs a part of a step. If a hole in a template of the step has no value, throws a ``CaseHalt`` with the reason.
  private func filled<Value>(_ mark: TranscriptEntry.StepMark, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as Template.RenderError {
      throw halt(error, mark)
    }
  }

  /// The ending of a case at a step in whose template a hole has no value: either an earlier step, the adapter or the
  /// provisioning file did not provide the value, or the case itself contains a mistake.
  private func halt(_ error: Template.RenderError, _ mark: TranscriptEntry.StepMark) -> CaseHalt {
    let name = error.hole ?? ""
    let base = String(name.prefix { $0 != "." })
    let member = name == base ? "the outcome" : String(name.dropFirst(base.count + 1))
    func lacking(_ value: String) -> CaseHalt { CaseHalt(.preconditionFailed, "'\(mark.word)' needs \(value)") }
    if let outcome = ports.recorder.read({ $0.outcomesByLabel.outcomes[base] }) {
      return lacking("\(member) of \(outcome.name) '\(base)', which ended with \(outcome.view.observed)")
    }
    if ports.recorder.read({ $0.entries.contains { $0.event.begins(base) } }) {
      return lacking("\(member) of the step '\(base)', which has no outcome")
    }
    if base == "declared" { return lacking("'\(member)', which the adapter does not declare in its 'hello'") }
    if ports.catalogue.definition.values.contains(where: { $0.name == base }) {
      return lacking("the value '\(base)', which the provisioning file does not give")
    }
    let place = ports.catalogue.case(ports.header.instance.id).map { "\($0.file):\($0.line): " } ?? ""
    return CaseHalt(.kitError, "\(place)step \(mark.place), '\(mark.word)': \(error.description(knowing: bindings))")
  }

  /// The names that the templates of steps may refer to: addresses of ports, loop variables, and the outcomes of
  /// labelled steps.
  var bindings: Bindings { ports.bindings.merging(variables) }

  /// Performs the part of a step that does not wait. Returns the part that waits for replies.
  private func start(_ action: Step.Action, _ mark: TranscriptEntry.StepMark) async throws -> Rest {
    switch action {
    case .call(let call):
      let id = try start(call, mark)
      return { if call.waits { try await finish(call, id) } }
    case .send(let send):
      let label = try start(send, mark)
      return { if send.waits { await finish(label) } }
    case .together(let steps):
      let rests = try await startAll(steps, at: "\(mark.place).")
      return { for rest in rests { try await rest() } }
    case .repeat(let times, let variable, let steps):
      return { try await round(times, variable, steps, mark) }
    default: return { try await play(action, mark) }
    }
  }

  private func play(_ action: Step.Action, _ mark: TranscriptEntry.StepMark) async throws {
    switch action {
    case .answer(let answer): try script(answer)
    case .operate(let operate): try await self.operate(operate, mark)
    case .fault(let fault): try await ports.mock.arm(fault, bindings: bindings)
    case .heal(let scope): try await ports.mock.heal(scope)
    case .release(let scope): ports.mock.release(scope)
    case .await(let wanted): try await wait(for: wanted, mark)
    case .settle(let span): await ports.pacer.settle(within: span)
    case .advance(let span): await ports.pacer.advance(by: span)
    case .restart(let restart):
      try await self.restart(restart)
    case .surroundings(let facts): try await change(facts)
    case .search(let texts): try search(for: texts, mark)
    case .attempt(let attempt): try await self.attempt(attempt, mark)
    case .explore(let exploration): try await explore(exploration, mark)
    case .perform(_, let steps): try await play(steps, at: "\(mark.place).")
    case .call, .send, .together, .repeat: break
    }
  }

  private func round(_ times: Int, _ variable: String, _ steps: [Step], _ mark: TranscriptEntry.StepMark) async throws {
    var player = self
    for round in stride(from: 1, through: times, by: 1) {
      let begin = ports.recorder.read(\.entries.count)
      try await player.inRound(round, variable).play(steps, at: "\(mark.place)#\(round).")
      if steps.contains(where: \.letsSubjectAct) { player.horizon = begin }
    }
  }

  private func inRound(_ round: Int, _ variable: String) -> StepPlayer {
    var inner = self
    inner.variables[variable] = .int(round)
    return inner
  }

  /// Sends all commands and requests, including the commands and requests of every round of a `repeat`, before it waits
  /// for any reply. Completes each step of another kind at its place in the list.
  private func startAll(_ steps: [Step], at parent: String) async throws -> [Rest] {
    var rests: [Rest] = []
    for (index, step) in steps.enumerated() {
      let place = parent + "\(index + 1)"
      guard case .repeat(let times, let variable, let inner) = step.action else {
        let rest = try await begin(step, at: place)
        if step.action.isAsking { rests.append(rest) } else { try await rest() }
        continue
      }
      let mark = try mark(of: step, at: place)
      ports.recorder.record(.stepBegan(mark))
      for round in stride(from: 1, through: times, by: 1) {
        rests += try await inRound(round, variable).startAll(inner, at: "\(place)#\(round).")
      }
      let recorder = ports.recorder
      rests.append { recorder.record(.stepEnded(mark)) }
    }
    return rests
  }
}

// MARK: - Commands and requests

extension StepPlayer {
  private func start(_ call: Step.Call, _ mark: TranscriptEntry.StepMark) throws -> Int {
    let params = try call.params.render(bindings, models: ports.catalogue.models)
    return try ports.commands().call(call.command, params: params, label: mark.label)
  }

  private func finish(_ call: Step.Call, _ id: Int) async throws {
    let cameBack = await ports.pacer.reply(isThere: { $0.outcomes[id] != nil }, limit: ports.replyLimit)
    if !cameBack { ports.recorder.record(.reply(.init(id: id, outcome: .noReply))) }
    // With a virtual clock the subject is at rest after each reply, so that later events always happen in the same
    // order.
    await ports.pacer.settle(within: .zero)
    guard let outcome = ports.recorder.outcome(id) else { return }
    if case .error(let error) = outcome, error.kind == CommandError.unsupported, let lack = lack(of: call.command) {
      throw CaseHalt(.unsupported, "\(lack)")
    }
    let need = try ports.commands().mustSucceed ? .succeeds : call.need
    if let problem = outcome.problem(of: call.command, needed: need) { throw CaseHalt(.preconditionFailed, problem) }
  }

  /// The capability that a command needs, if the subject lacks this capability; nil if the command needs no capability,
  /// or the subject has it.
  private func lack(of command: String) -> Lack? {
    let capability = ports.catalogue.definition.command(command, of: ports.header.role)?.capabilities.first
    return capability.flatMap { ports.header.hasCapability($0) ? nil : .capability($0) }
  }

  private func start(_ send: Step.Send, _ mark: TranscriptEntry.StepMark) throws -> String {
    let label = mark.label ?? "step \(mark.place)"
    guard let exchange = ports.catalogue.exchange(send.exchange) else {
      throw CaseHalt(.kitError, "no exchange '\(send.exchange)' in the catalogue")
    }
    try ports.downstream().send(request(send, of: exchange), of: exchange, label: label, over: send.over)
    return label
  }

  /// A request with the values of the step.
  func request(_ send: Step.Send, of exchange: Exchange) throws -> HTTPRequest {
    let server = try ports.downstream().server
    guard let template = server.requests[exchange.name] ?? exchange.request(in: ports.header.instance.dialect) else {
      throw CaseHalt(.kitError, "the request for '\(exchange.name)' is unknown")
    }
    return try SentRequest(
      send, exchange: exchange, template: template, bindings: bindings, models: ports.catalogue.models,
      clients: server.clientAddressHeader.map { .init(header: $0, addresses: ports.clients) }
    ).request
  }

  func finish(_ label: String) async {
    _ = await ports.pacer.reply(isThere: { $0.received.contains(label) }, limit: ports.replyLimit)
  }

  /// Sets the answers of the mock. If a value from an earlier step is missing, throws here, and not later when the mock
  /// answers.
  private func script(_ answer: Step.Answer) throws {
    let bindings = bindings
    let changes = answer.edits.compactMap(\.value) + answer.headers.values.compactMap(\.self)
    let names =
      answer.with.node.requiredHoles + changes.flatMap(\.node.requiredHoles).filter { $0.contains(".") }
    if let missing = names.first(where: { bindings[$0] == nil }) { throw Template.RenderError.unbound(missing) }
    do { try ports.mock.script(answer, bindings: bindings) } catch { throw CaseHalt(.kitError, "\(error)") }
  }

  /// Performs an operator's command. If a server is under test, a hook performs the command at this server. Otherwise
  /// the mock performs it.
  private func operate(_ operate: Step.Operate, _ mark: TranscriptEntry.StepMark) async throws {
    let params = try operate.params.render(bindings, models: ports.catalogue.models)
    if let provisioner = ports.provisioner, ports.mock.isRelaying {
      let outcome = try await provisioner.perform(operate.command, params: params)
      ports.recorder.record(
        .operated(label: mark.label, .init(name: operate.command, params: params, outcome: outcome)))
      if let problem = outcome.problem(of: operate.command, needed: .succeeds) {
        throw CaseHalt(.preconditionFailed, problem)
      }
      return
    }
    let outcome = ports.mock.operate(operate.command, params: params, label: mark.label)
    // The mock belongs to the kit, so its errors are not errors of the subject.
    if case .error(let error) = outcome {
      throw CaseHalt(.kitError, "the mock cannot do '\(operate.command)': \(error.message ?? error.kind)")
    }
  }

  private func restart(_ restart: Step.Restart) async throws {
    let environment = try restart.environment.render(bindings).object ?? [:]
    try await ports.driver().restart(restart, environment: environment) {
      if restart.away > .zero { await ports.pacer.advance(by: restart.away) }
    }
  }

  private func search(for texts: Template, _ mark: TranscriptEntry.StepMark) throws {
    guard let label = mark.label else { return }
    let texts = try texts.render(bindings, models: ports.catalogue.models).array ?? []
    do {
      let finds = try StorageSearch.finds(of: texts.compactMap(\.string), in: ports.driver().storage.path)
      ports.recorder.record(.bound(label: label, value: .array(finds.map(\.view))))
    } catch let error as StorageSearch.Refusal {
      throw CaseHalt(.preconditionFailed, error.description)
    }
  }

  private func change(_ facts: Template) async throws {
    let params = try facts.render(bindings, models: ports.catalogue.models)
    let call = Step.Call(command: AdapterRequest.surroundings, params: facts)
    let id = try ports.driver().call(call.command, params: params, label: nil)
    try await finish(call, id)
  }
}

// MARK: - Waiting

extension StepPlayer {
  private func wait(for wanted: Step.Await, _ mark: TranscriptEntry.StepMark) async throws {
    switch wanted.target {
    case .reply(let label): _ = await ports.pacer.pass(until: { $0.isAnswered(label) }, limit: wanted.within)
    case .observed(let selector):
      let watch = watch(for: selector, since: try horizon(of: wanted, selector, mark))
      let count = wanted.count
      let isReached = await ports.pacer.pass(until: { watch.hasSeen(count, in: $0.entries) }, limit: wanted.within)
      // With fewer observations than expected the label stays unbound.
      guard isReached, let label = mark.label, let value = ports.recorder.read({ watch.last(in: $0.entries) }) else {
        return
      }
      ports.recorder.record(.bound(label: label, value: value))
    }
  }

  /// The entry from which an `await` counts observations: the one that its `since` or `after` names, or the default.
  private func horizon(
    of wanted: Step.Await, _ selector: Selector, _ mark: TranscriptEntry.StepMark
  ) throws(CaseHalt) -> Int {
    guard let label = wanted.since else { return selector.after == nil ? horizon : 0 }
    if label == Step.Await.wholeCase { return 0 }
    let begin = ports.recorder.read { state in
      state.entries.last { $0.event.begins(label) }?.number
    }
    guard let begin else {
      throw CaseHalt(.kitError, "step \(mark.place), '\(mark.word)': no step '\(label)' began, which 'since' names")
    }
    return begin
  }

  private func watch(for selector: Selector, since: Int = 0) -> ObservationWatch {
    ObservationWatch(
      selector, header: ports.header, models: ports.catalogue.models, variables: variables, log: ports.observations,
      since: since)
  }

  /// Tries several ways, one after the other, until one of them leads to the observation. Binds the label of the step
  /// to the name of that way. Skips a way that needs a capability which the subject lacks.
  private func attempt(_ attempt: Step.Attempt, _ mark: TranscriptEntry.StepMark) async throws {
    let watch = watch(for: attempt.until)
    var found = Step.Attempt.none
    for way in attempt.ways where canPlay(way.steps) {
      try await play(way.steps, at: "\(mark.place).\(way.name).")
      if ports.recorder.read({ watch.hasSeen(1, in: $0.entries) }) {
        found = way.name
        break
      }
    }
    if let label = mark.label { ports.recorder.record(.bound(label: label, value: .string(found))) }
  }

  private func canPlay(_ steps: [Step]) -> Bool {
    let own = Set(ports.header.subjects.values.flatMap(\.capabilities))
    return ports.catalogue.definition.capabilities(neededBy: steps, of: ports.header.role, besides: own).isEmpty
  }
}

extension Step.Action {
  /// Whether the action waits for an answer. In the meantime, other commands and requests can be sent.
  fileprivate var isAsking: Bool {
    switch self {
    case .call, .send, .together: true
    default: false
    }
  }
}

extension TranscriptEntry.Event {
  /// Whether this is the beginning of the step with this label.
  fileprivate func begins(_ label: String) -> Bool {
    if case .stepBegan(let mark) = self { mark.label == label } else { false }
  }
}

extension CommandOutcome {
  /// The reason why the case cannot continue after this outcome of a command; nil if it can.
  fileprivate func problem(of command: String, needed: Step.Call.Need) -> String? {
    switch (needed, self) {
    case (.either, _), (.succeeds, .result), (.fails, .error): return nil
    case (_, .noReply): return "\(command) did not return, and nothing was left to happen"
    case (.fails, .result): return "\(command) succeeded, and the case begins where it fails"
    case (.succeeds, .error(let error)):
      let detail = error.message.map { ": \($0)" } ?? ""
      let kind = error.kind == CommandError.hookFailed ? "" : " with \(error.kind)"
      return "\(command) failed\(kind)\(detail)"
    }
  }
}
