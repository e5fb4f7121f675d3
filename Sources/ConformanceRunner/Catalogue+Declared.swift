import ConformanceModel
import Templates

extension Catalogue {
  /// The names of the values that an adapter has to declare in `hello`, because cases refer to them: the `NAME` of each
  /// `${declared.NAME}` in a case.
  var declaredNames: Set<String> {
    let prefix = "declared."
    let scenarios = cases.flatMap(\.scenarios)
    let steps = scenarios.flatMap { $0.given.flatMap(\.steps) + $0.steps }
    let claims = scenarios.flatMap { $0.assumes + $0.claims }
    let assertions =
      scenarios.flatMap { $0.given.flatMap(\.holds) + $0.witness + $0.controls } + claims.map(\.assertion)
    let holes = (steps.flatMap(\.templates) + assertions.flatMap(\.templates)).flatMap(\.holeNames)
    return Set(
      holes.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count).prefix { $0 != "." && $0 != "[" }) }
    )
  }
}

extension Step {
  /// The templates in the step and in the steps inside it.
  fileprivate var templates: [Template] {
    let own: [Template?]
    switch action {
    case .call(let call): own = [call.params]
    case .send(let send):
      own = [send.with, send.path, send.body, send.from] + send.edits.map(\.value) + Array(send.headers.values)
    case .answer(let answer):
      own = [answer.filter, answer.with] + answer.edits.map(\.value) + Array(answer.headers.values)
    case .operate(let operate): own = [operate.params]
    case .fault(let fault): own = [fault.filter]
    case .await(let wanted):
      if case .observed(let selector) = wanted.target { own = [selector.filter] } else { own = [] }
    case .restart(let restart): own = [restart.environment]
    case .surroundings(let facts): own = [facts]
    case .search(let texts): own = [texts]
    case .attempt(let attempt): own = [attempt.until.filter]
    case .explore(let exploration): own = exploration.choices.flatMap(\.values) + exploration.draws.map(\.with)
    case .heal, .release, .settle, .advance, .together, .repeat, .perform: own = []
    }
    return own.compactMap(\.self) + inner.flatMap(\.templates)
  }
}

extension Claim.Assertion {
  /// The templates in the assertion.
  fileprivate var templates: [Template] {
    func filters(_ selectors: Selector...) -> [Template] { selectors.compactMap(\.filter) }
    switch self {
    case .count(let selector, let template), .matches(let selector, _, let template),
      .atOnce(let selector, let template):
      return filters(selector) + [template]
    case .never(let selector), .series(let selector, _, _), .golden(let selector): return filters(selector)
    case .order(let selectors): return selectors.compactMap(\.filter)
    case .gap(let from, let to, let template): return filters(from, to) + [template]
    case .gaps(let selector, let templates): return filters(selector) + templates
    case .latest(let selector, _, let source, _): return filters(selector, source)
    case .equal(let references):
      return references.compactMap { reference in
        guard case .observed(let selector) = reference.origin else { return nil }
        return selector.filter
      }
    case .anyOf(let assertions): return assertions.flatMap(\.templates)
    case .returns(let outcomes): return outcomes.map(\.template)
    case .calledBack(let selector, let times, let value):
      return filters(selector) + [times] + [value].compactMap(\.self)
    case .check(_, let with): return (try? Template(with)).map { [$0] } ?? []
    case .survives: return []
    }
  }
}
