import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

extension Claim.Assertion {
  /// The selectors in the assertion, with paths that begin with `path`.
  package func selectors(at path: JSONPath) -> [Sited<Selector>] {
    let own = path.appending(key: word)
    switch self {
    case .count(let selector, _), .matches(let selector, _, _), .never(let selector), .series(let selector, _, _),
      .calledBack(let selector, _, _), .gaps(let selector, _), .atOnce(let selector, _), .golden(let selector):
      return [Sited(selector, at: own)]
    case .order(let selectors):
      return selectors.enumerated().map { Sited($0.element, at: own.appending(index: $0.offset)) }
    case .gap(let from, let to, _):
      return [Sited(from, at: own.appending(key: "from")), Sited(to, at: own.appending(key: "to"))]
    case .latest(let selector, _, let source, _):
      return [Sited(selector, at: own), Sited(source, at: own.appending(key: "from"))]
    case .equal(let references):
      return references.enumerated().compactMap { index, reference in
        guard case .observed(let selector) = reference.origin else { return nil }
        return Sited(selector, at: own.appending(index: index))
      }
    case .anyOf(let assertions):
      return assertions.enumerated().flatMap { $0.element.selectors(at: own.appending(index: $0.offset)) }
    case .returns, .survives, .check: return []
    }
  }

  /// The labels of the steps whose outcomes the assertion reads.
  package func outcomes(at path: JSONPath) -> [Sited<String>] {
    let own = path.appending(key: word)
    switch self {
    case .returns(let outcomes): return outcomes.map { Sited($0.label, at: own.appending(key: $0.label)) }
    case .equal(let references):
      return references.enumerated().compactMap { index, reference in
        guard case .returned(let label) = reference.origin else { return nil }
        return Sited(label, at: own.appending(index: index).appending(key: "returned"))
      }
    case .anyOf(let assertions):
      return assertions.enumerated().flatMap { $0.element.outcomes(at: own.appending(index: $0.offset)) }
    default: return []
    }
  }

  /// The templates in the assertion and in its selectors. All of them are compared with observations.
  package func templates(at path: JSONPath) -> [Sited<Template>] {
    if case .anyOf(let assertions) = self {
      let own = path.appending(key: word)
      return assertions.enumerated().flatMap { $0.element.templates(at: own.appending(index: $0.offset)) }
    }
    let filters = selectors(at: path).compactMap { site in
      site.value.filter.map { Sited($0, at: site.path.appending(key: "where")) }
    }
    return filters + ownTemplates(at: path.appending(key: word))
  }

  private func ownTemplates(at path: JSONPath) -> [Sited<Template>] {
    switch self {
    case .count(_, let template), .matches(_, _, let template), .gap(_, _, let template), .atOnce(_, let template):
      return [Sited(template, at: path.appending(key: "is"))]
    case .gaps(_, let templates):
      return templates.enumerated().map {
        Sited($0.element, at: path.appending(key: "are").appending(index: $0.offset))
      }
    case .returns(let outcomes): return outcomes.map { Sited($0.template, at: path.appending(key: $0.label)) }
    case .calledBack(_, let times, let value):
      return [Sited(times, at: path.appending(key: "times"))]
        + (value.map { [Sited($0, at: path.appending(key: "with"))] } ?? [])
    case .never, .order, .equal, .series, .latest, .golden, .anyOf, .survives, .check: return []
    }
  }
}

extension ScenarioSite.StepSite {
  /// The selector of the observation that an `await` or an `attempt` waits for; empty for other steps.
  package var selectors: [Sited<Selector>] {
    switch step.action {
    case .await(let wait):
      guard case .observed(let selector) = wait.target else { return [] }
      return [Sited(selector, at: path.appending(key: "await"))]
    case .attempt(let attempt):
      return [Sited(attempt.until, at: path.appending(key: "attempt").appending(key: "until"))]
    default: return []
    }
  }

  /// The exchanges that the step refers to.
  package var exchanges: [Sited<String>] {
    switch step.action {
    case .send(let send): [Sited(send.exchange, at: path.appending(key: "send"))]
    case .answer(let answer): [Sited(answer.exchange, at: path.appending(key: "answer"))]
    case .fault(let fault):
      fault.exchange.map { [Sited($0, at: path.appending(key: "fault").appending(key: "exchange"))] } ?? []
    case .heal(let scope): scope.exchange.map { [Sited($0, at: path.appending(key: "heal"))] } ?? []
    case .release(let scope): scope.exchange.map { [Sited($0, at: path.appending(key: "release"))] } ?? []
    case .explore(let exploration):
      exploration.draws.enumerated().compactMap { index, draw in
        guard case .send(let exchange) = draw.action else { return nil }
        let place = path.appending(key: "explore").appending(key: "draw").appending(index: index)
        return Sited(exchange, at: place.appending(key: "send"))
      }
    default: selectors.compactMap(\.exchange)
    }
  }

  /// The templates that are filled when the step runs.
  package var renderedTemplates: [Sited<Template>] {
    func edits(_ edits: [Step.Edit]) -> [Sited<Template>] {
      edits.compactMap { edit in
        edit.value.map { Sited($0, at: path.appending(key: "set").appending(key: edit.path.description)) }
      }
    }
    func sited(_ template: Template?, _ key: String) -> [Sited<Template>] {
      template.map { [Sited($0, at: path.appending(key: key))] } ?? []
    }
    switch step.action {
    case .call(let call): return sited(call.params, "with")
    case .operate(let operate): return sited(operate.params, "with")
    case .surroundings(let facts): return sited(facts, "surroundings")
    case .search(let texts): return sited(texts, "for")
    case .fault(let fault):
      guard case .redirect(_, let location) = fault.kind else { return [] }
      return sited(try? Template(JSONField(.string(location))), "fault")
    case .restart(let restart): return [Sited(restart.environment, at: path.appending(key: "restart"))]
    case .answer(let answer): return sited(answer.with, "with") + edits(answer.edits) + headers(answer.headers)
    case .send(let send):
      return sited(send.with, "with") + edits(send.edits) + headers(send.headers) + sited(send.path, "path")
        + sited(send.body, "body") + sited(send.from, "from")
    default: return []
    }
  }

  private func headers(_ headers: [String: Template?]) -> [Sited<Template>] {
    headers.compactMap { name, template in
      template.map { Sited($0, at: path.appending(key: "headers").appending(key: name)) }
    }
  }

  /// The templates that are compared with observations.
  package var matchedTemplates: [Sited<Template>] {
    if case .fault(let fault) = step.action, let filter = fault.filter {
      return [Sited(filter, at: path.appending(key: "fault").appending(key: "where"))]
    }
    if case .answer(let answer) = step.action, let filter = answer.filter {
      return [Sited(filter, at: path.appending(key: "where"))]
    }
    return selectors.compactMap { site in
      site.value.filter.map { Sited($0, at: site.path.appending(key: "where")) }
    }
  }

  /// Whether claims and later steps can refer to an outcome of the step.
  package var hasOutcome: Bool {
    switch step.action {
    case .call, .send, .operate, .await, .search, .attempt, .explore: true
    default: false
    }
  }

  /// The services that the step names by `at`.
  package var services: [Sited<ServiceName>] {
    let scope: (Step.Scope, String)? =
      switch step.action {
      case .fault(let fault): (.init(at: fault.service), "fault")
      case .heal(let scope): (scope, "heal")
      case .release(let scope): (scope, "release")
      default: nil
      }
    let own = scope.flatMap { scope, key in
      scope.service.map { Sited($0, at: path.appending(key: key).appending(key: "at")) }
    }
    return [own].compactMap(\.self) + selectors.compactMap(\.service)
  }
}

extension Sited<Selector> {
  /// The exchange that the selector names; nil if it names none or `any`.
  var exchange: Sited<String>? {
    guard let exchange = value.exchange else { return nil }
    let key = if case .request = value.subject { "request" } else { "response" }
    return Sited<String>(exchange, at: path.appending(key: key))
  }

  /// The service that the selector names; nil if it picks observations of all services.
  package var service: Sited<ServiceName>? {
    value.service.map { Sited<ServiceName>($0, at: path.appending(key: "at")) }
  }

  /// The handle of the selected callback; nil for other observations.
  package var handle: Sited<String>? {
    guard case .callback(let handle) = value.subject else { return nil }
    return Sited<String>(handle, at: path.appending(key: "callback"))
  }

  /// The labels that the selector refers to.
  package var labels: [Sited<String>] {
    let own: (String, String?)? =
      switch value.subject {
      case .reply(let label): ("reply", label)
      case .step(let label): ("step", label)
      default: nil
      }
    return ([("after", value.after), ("before", value.before)] + [own].compactMap(\.self)).compactMap { key, label in
      label.map { Sited<String>($0, at: path.appending(key: key)) }
    }
  }
}

extension ScenarioSite {
  /// Every selector of the scenario.
  package var selectors: [Sited<Selector>] {
    steps.flatMap(\.selectors) + assertions.flatMap { $0.assertion.selectors(at: $0.path) }
  }

  /// Every template of the scenario.
  package var templates: [Sited<Template>] {
    steps.flatMap { $0.renderedTemplates + $0.matchedTemplates }
      + assertions.flatMap { $0.assertion.templates(at: $0.path) }
  }

  /// Every exchange that a step or an assertion of the scenario refers to.
  package var exchanges: [Sited<String>] {
    steps.flatMap(\.exchanges) + assertions.flatMap { $0.assertion.selectors(at: $0.path).compactMap(\.exchange) }
  }
}
