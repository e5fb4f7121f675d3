import ConformanceModel
import ConformanceTranscript
import JSONKit
import Recording
import Templates

extension StepPlayer {
  /// Explores the subject without recording, then replays each finding with recording. So the evidence contains only
  /// the shortest sequence of each finding.
  func explore(_ exploration: Exploration, _ mark: TranscriptEntry.StepMark) async throws {
    let explorer = try explorer(exploration)
    let outcome: Explorer.Outcome
    do {
      outcome = try await ports.recorder.countingAsWaiting { try await explorer.explore() }
      for (index, finding) in outcome.findings.enumerated() {
        try await explorer.replay(finding, ask: evidently("\(mark.label ?? mark.word) \(index + 1)"))
      }
    } catch let failure as ExploredPair.Failure {
      throw CaseHalt(.kitError, failure.description)
    }
    guard let label = mark.label else { return }
    ports.recorder.record(.bound(label: label, value: outcome.value(of: exploration)))
  }

  private func explorer(_ exploration: Exploration) throws -> Explorer {
    guard let oracle = ports.oracle else {
      throw CaseHalt(.kitError, "the protocol has no reference server to compare answers with")
    }
    let (dialect, own) = (ports.header.instance.dialect, bindings)
    let setting = ExploredPair.Setting(
      exploration: exploration, catalogue: ports.catalogue, dialect: dialect, subject: own,
      model: own.merging(oracle.values), makeModel: { oracle.makeServer(dialect, $0) })
    return Explorer(
      setting, seed: ports.seed, unique: ports.header.bindings["unique"]?.string ?? "",
      now: { Timestamp.now.milliseconds }, ask: asking)
  }

  /// Sends an operation to the subject without recording it.
  private func asking(_ draw: Exploration.Draw, _ values: JSON.Object) async throws -> JSON {
    switch draw.action {
    case .call(let command):
      guard let hook = ports.provisioner?.hook(command) else {
        throw CaseHalt(.kitError, "the case calls \(command) without the need of its capability")
      }
      return try result(of: command, await hook.perform(values))
    case .send(let name):
      let (send, exchange) = try golden(name, values)
      switch try await ports.downstream().ask(request(send, of: exchange), of: exchange) {
      case .success(let response): return response.view
      case .failure(let failure): return ["$error": .string(failure.kind.rawValue)]
      }
    }
  }

  /// Returns a closure that sends each operation as if it were a step of the case, so that it is recorded. The labels
  /// of these steps begin with `label`.
  private func evidently(_ label: String) -> Explorer.Ask {
    let count = Counter()
    return { [self] draw, values in
      let name = "\(label).\(count.next())"
      switch draw.action {
      case .call(let command):
        let id = try ports.commands().call(command, params: .object(values), label: name)
        _ = await ports.pacer.reply(isThere: { $0.outcomes[id] != nil }, limit: ports.replyLimit)
        return try result(of: command, ports.recorder.outcome(id) ?? .noReply)
      case .send(let exchangeName):
        let (send, exchange) = try golden(exchangeName, values)
        try ports.downstream().send(request(send, of: exchange), of: exchange, label: name)
        await finish(name)
        return ports.recorder.read { $0.entries.last { $0.event.isAnswer(to: name) }?.event.answer } ?? .null
      }
    }
  }

  private func golden(_ name: String, _ values: JSON.Object) throws -> (Step.Send, Exchange) {
    guard let exchange = ports.catalogue.exchange(name) else {
      throw CaseHalt(.kitError, "no exchange '\(name)' in the catalogue")
    }
    return (Step.Send(exchange: name, with: Template(.literal(.object(values)))), exchange)
  }

  private func result(of command: String, _ outcome: CommandOutcome) throws -> JSON {
    guard case .result(let value) = outcome else {
      throw CaseHalt(.preconditionFailed, "\(command) ended with \(outcome.view.excerpt)")
    }
    return value
  }
}

extension Explorer.Outcome {
  /// The outcome as the JSON value that claims read.
  fileprivate func value(of exploration: Exploration) -> JSON {
    let counts = agreed.sorted { $0.key < $1.key }.map { JSON.Object.Member(key: $0.key, value: .int($0.value)) }
    return [
      "operations": .int(agreed.values.reduce(findings.count, +)), "agreed": .object(JSON.Object(counts)),
      "disagreements": .array(findings.filter(\.isRepeatable).map { $0.value(of: exploration) }),
      "once": .array(findings.filter { !$0.isRepeatable }.map { $0.value(of: exploration) }),
    ]
  }
}

extension Explorer.Finding {
  fileprivate func value(of exploration: Exploration) -> JSON {
    [
      "operation": .string(disagreement.operation), "at": .string(disagreement.at), "expected": disagreement.expected,
      "observed": disagreement.observed, "answer": disagreement.answer, "sequence": .int(run + 1),
      "shortest": .array(operations.map { .string(exploration.draws[$0.draw].word) }),
    ]
  }
}

extension TranscriptEntry.Event {
  fileprivate func isAnswer(to label: String) -> Bool {
    switch self {
    case .received(label, _), .failed(label, _): true
    default: false
    }
  }

  fileprivate var answer: JSON? {
    switch self {
    case .received(_, let response): response.view
    case .failed(_, let failure): ["$error": .string(failure.kind.rawValue)]
    default: nil
    }
  }
}
