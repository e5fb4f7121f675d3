import ConformanceModel
import JSONKit

extension Claim.Assertion {
  /// The selectors in it, with their paths below the claim's.
  func selectors(at path: JSONPath) -> [Sited<Selector>] {
    let path = path.appending(key: word)
    switch self {
    case .count(let selector, _), .matches(let selector, _, _), .never(let selector), .unique(let selector, _),
      .calledBack(let selector, _, _):
      return [Sited(selector, at: path)]
    case .order(let selectors):
      return selectors.enumerated().map { Sited($0.element, at: path.appending(index: $0.offset)) }
    case .gap(let from, let to, _):
      return [Sited(from, at: path.appending(key: "from")), Sited(to, at: path.appending(key: "to"))]
    case .equal(let references):
      return references.enumerated().compactMap { index, reference in
        guard case .observed(let selector) = reference.origin else { return nil }
        return Sited(selector, at: path.appending(index: index))
      }
    case .returns, .survives, .check: return []
    }
  }

  /// The labels whose outcomes it looks at.
  func outcomes(at path: JSONPath) -> [Sited<String>] {
    let path = path.appending(key: word)
    switch self {
    case .returns(let outcomes): return outcomes.map { Sited($0.label, at: path.appending(key: $0.label)) }
    case .equal(let references):
      return references.enumerated().compactMap { index, reference in
        guard case .returned(let label) = reference.origin else { return nil }
        return Sited(label, at: path.appending(index: index).appending(key: "returned"))
      }
    default: return []
    }
  }

  /// The templates in it, those of its selectors too. All of them match.
  func templates(at path: JSONPath) -> [Sited<Template>] {
    let own = path.appending(key: word)
    let filters = selectors(at: path).compactMap { site in
      site.value.filter.map { Sited($0, at: site.path.appending(key: "where")) }
    }
    switch self {
    case .count(_, let template), .matches(_, _, let template), .gap(_, _, let template):
      return filters + [Sited(template, at: own.appending(key: "is"))]
    case .returns(let outcomes):
      return outcomes.map { Sited($0.template, at: own.appending(key: $0.label)) }
    case .calledBack(_, let times, let value):
      return filters + [Sited(times, at: own.appending(key: "times"))]
        + (value.map { [Sited($0, at: own.appending(key: "with"))] } ?? [])
    case .never, .order, .equal, .unique, .survives, .check: return filters
    }
  }
}

extension ScenarioSite.StepSite {
  /// The selector of an `await`.
  var selectors: [Sited<Selector>] {
    guard case .await(let wait) = step.action, case .observed(let selector) = wait.target else { return [] }
    return [Sited(selector, at: path.appending(key: "await"))]
  }

  /// The exchanges that the step names.
  var exchanges: [Sited<String>] {
    switch step.action {
    case .send(let send): [Sited(send.exchange, at: path.appending(key: "send"))]
    case .answer(let answer): [Sited(answer.exchange, at: path.appending(key: "answer"))]
    case .cut(let cut):
      cut.exchange.map { [Sited($0, at: path.appending(key: "cut").appending(key: "exchange"))] } ?? []
    default: selectors.compactMap(\.exchange)
    }
  }

  /// The templates that are filled when the step runs.
  var renderedTemplates: [Sited<Template>] {
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
    case .answer(let answer): return sited(answer.with, "with") + edits(answer.edits)
    case .send(let send):
      let headers = send.headers.compactMap { name, template in
        template.map { Sited($0, at: path.appending(key: "headers").appending(key: name)) }
      }
      return sited(send.with, "with") + edits(send.edits) + headers + sited(send.path, "path")
        + sited(send.body, "body") + sited(send.from, "from")
    default: return []
    }
  }

  /// The templates that are held against observations.
  var matchedTemplates: [Sited<Template>] {
    if case .cut(let cut) = step.action, case .arm(let fault) = cut.change, let filter = fault.filter {
      return [Sited(filter, at: path.appending(key: "cut").appending(key: "where"))]
    }
    return selectors.compactMap { site in
      site.value.filter.map { Sited($0, at: site.path.appending(key: "where")) }
    }
  }

  /// Whether the step has an outcome that claims and later steps can look at.
  var hasOutcome: Bool {
    switch step.action {
    case .call, .send: true
    default: false
    }
  }
}

extension Step.Cut {
  var exchange: String? {
    switch change {
    case .arm(let fault): fault.exchange
    case .heal(let exchange): exchange
    }
  }
}

extension Sited<Selector> {
  /// The exchange whose requests it selects; nil for callbacks and for all requests.
  var exchange: Sited<String>? {
    guard case .request(let exchange) = value.subject, exchange != "any" else { return nil }
    return Sited<String>(exchange, at: path.appending(key: "request"))
  }

  /// The handle whose calls it selects.
  var handle: Sited<String>? {
    guard case .callback(let handle) = value.subject else { return nil }
    return Sited<String>(handle, at: path.appending(key: "callback"))
  }

  /// The labels it names.
  var labels: [Sited<String>] {
    [("after", value.after), ("before", value.before)].compactMap { key, label in
      label.map { Sited<String>($0, at: path.appending(key: key)) }
    }
  }
}

extension ScenarioSite {
  /// Every selector of the scenario.
  var selectors: [Sited<Selector>] {
    steps.flatMap(\.selectors) + assertions.flatMap { $0.assertion.selectors(at: $0.path) }
  }

  /// Every template of the scenario.
  var templates: [Sited<Template>] {
    steps.flatMap { $0.renderedTemplates + $0.matchedTemplates }
      + assertions.flatMap { $0.assertion.templates(at: $0.path) }
  }

  /// Every exchange that is named.
  var exchanges: [Sited<String>] {
    steps.flatMap(\.exchanges) + assertions.flatMap { $0.assertion.selectors(at: $0.path).compactMap(\.exchange) }
  }
}
