import ConformanceModel

/// Plays the steps of one case on its ports, one after the other, and marks each in the transcript.
struct StepPlayer: Sendable {
  /// A step that ends the case early.
  struct Halt: Error {
    var ending: TranscriptEntry.Ending

    init(_ kind: TranscriptEntry.Ending.Kind, _ text: String) { ending = .init(kind, text) }
  }

  /// How long a command or a request may take in logical time before it counts as never answered.
  static let replyLimit = LogicalTime.seconds(120)

  let ports: CasePorts
  /// Loop variables around the steps that are played.
  var variables: Bindings = [:]

  /// Plays the steps; throws when the case cannot go on.
  func play(_ steps: [Step], at parent: String = "") async throws {
    for (index, step) in steps.enumerated() {
      let place = parent + "\(index + 1)"
      let mark = TranscriptEntry.StepMark(place: place, word: step.word, label: try label(of: step))
      ports.recorder.record(.stepBegan(mark))
      try await play(step.action, mark: mark)
      if let ending = ports.recorder.stop { throw Halt(ending.kind, ending.text) }
      ports.recorder.record(.stepEnded(mark))
    }
  }

  private func label(of step: Step) throws -> String? {
    try step.label.map { try $0.renderText(bindings) }
  }

  /// What templates in steps may refer to: the ports' addresses, loop variables, and outcomes by label.
  private var bindings: Bindings { ports.bindings.merging(variables) }

  private func play(_ action: Step.Action, mark: TranscriptEntry.StepMark) async throws {
    switch action {
    case .call(let call):
      let id = try start(call, mark)
      if call.waits { try await finish(call, id) }
    case .send(let send):
      let label = try start(send, mark)
      if send.waits { try await finish(label) }
    case .answer(let answer): try ports.upstream(nil).script(answer, bindings: bindings)
    case .cut(let cut): try await ports.upstream(cut.upstream).apply(cut.change)
    case .await(let wanted): try await wait(for: wanted)
    case .settle(let span): await ports.pacer.settle(within: span)
    case .advance(let span): await ports.pacer.advance(by: span)
    case .restart(let restart): try await ports.driver().restart(restart)
    case .together(let steps): try await together(steps, mark)
    case .repeat(let times, let variable, let steps): try await round(times, variable, steps, mark)
    }
  }

  private func round(_ times: Int, _ variable: String, _ steps: [Step], _ mark: TranscriptEntry.StepMark) async throws {
    for round in 1...max(1, times) where times > 0 {
      var inner = self
      inner.variables[variable] = .int(round)
      try await inner.play(steps, at: "\(mark.place)#\(round).")
    }
  }

  /// Starts every call and send before it waits for the first.
  private func together(_ steps: [Step], _ mark: TranscriptEntry.StepMark) async throws {
    var pending: [@Sendable () async throws -> Void] = []
    for (index, step) in steps.enumerated() {
      let place = "\(mark.place).\(index + 1)"
      let inner = TranscriptEntry.StepMark(place: place, word: step.word, label: try label(of: step))
      ports.recorder.record(.stepBegan(inner))
      switch step.action {
      case .call(let call):
        let id = try start(call, inner)
        pending.append { try await finish(call, id) }
      case .send(let send):
        let label = try start(send, inner)
        pending.append { try await finish(label) }
      default: try await play(step.action, mark: inner)
      }
      let recorder = ports.recorder
      pending.append { recorder.record(.stepEnded(inner)) }
    }
    for finish in pending { try await finish() }
  }

  private func start(_ call: Step.Call, _ mark: TranscriptEntry.StepMark) throws -> Int {
    let params = try call.params.render(bindings, models: ports.catalogue.models)
    return try ports.commands().call(call.command, params: params, label: mark.label)
  }

  private func finish(_ call: Step.Call, _ id: Int) async throws {
    let cameBack = await ports.pacer.pass(until: { $0.outcomes[id] != nil }, limit: Self.replyLimit)
    if !cameBack { ports.recorder.record(.reply(.init(id: id, outcome: .noReply))) }
    // With a clock of its own the subject is let come to rest: what follows a reply then happens in the same order always.
    await ports.pacer.settle(within: .zero)
    guard try call.need == .succeeds || ports.commands().mustSucceed, let outcome = ports.recorder.outcome(id) else {
      return
    }
    switch outcome {
    case .result: return
    case .noReply: throw Halt(.preconditionFailed, "\(call.command) did not return, and nothing was left to happen")
    case .error(let error):
      let detail = error.message.map { ": \($0)" } ?? ""
      let kind = error.kind == CommandError.hookFailed ? "" : " with \(error.kind)"
      throw Halt(.preconditionFailed, "\(call.command) failed\(kind)\(detail)")
    }
  }

  private func start(_ send: Step.Send, _ mark: TranscriptEntry.StepMark) throws -> String {
    let label = mark.label ?? "step \(mark.place)"
    guard let exchange = ports.catalogue.exchange(send.exchange) else {
      throw Halt(.kitError, "no exchange '\(send.exchange)' in the catalogue")
    }
    let downstream = try ports.downstream()
    let request = try SentRequest(
      send, exchange: exchange, bindings: bindings, models: ports.catalogue.models,
      clientAddressHeader: downstream.server.clientAddressHeader
    ).request
    downstream.send(request, exchange: exchange.name, label: label)
    return label
  }

  private func finish(_ label: String) async throws {
    _ = await ports.pacer.pass(until: { $0.received.contains(label) }, limit: Self.replyLimit)
  }

  private func wait(for wanted: Step.Await) async throws {
    switch wanted.target {
    case .reply(let label): _ = await ports.pacer.pass(until: { $0.isAnswered(label) }, limit: wanted.within)
    case .observed(let selector):
      let models = ports.catalogue.models
      let header = ports.header
      let count = wanted.count
      _ = await ports.pacer.pass(
        until: { state in
          let evidence = Evidence(transcript: Transcript(header: header, entries: state.entries), models: models)
          return evidence.observations(selector).count >= count
        }, limit: wanted.within)
    }
  }
}

extension Step {
  /// The word of the vocabulary.
  var word: String {
    switch action {
    case .call(let call): call.command
    case .send(let send): "send \(send.exchange)"
    case .answer(let answer): "answer \(answer.exchange)"
    case .await: "await"
    case .settle: "settle"
    case .advance: "advance"
    case .restart: "restart"
    case .cut: "cut"
    case .together: "together"
    case .repeat: "repeat"
    }
  }
}
