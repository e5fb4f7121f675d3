import ConformanceModel
import JSONKit
import Templates

/// The words of the case language that a case uses, those of the states it begins in too.
struct CaseWords {
  private(set) var steps: Set<String> = []
  private(set) var assertions: Set<String> = []
  private(set) var selectors: Set<String> = []
  private(set) var faults: Set<String> = []
  private(set) var operators: Set<String> = []

  /// `text` is the case as its file has it.
  init(_ testCase: Case, text: JSON) {
    for scenario in testCase.scenarios {
      (scenario.given.flatMap(\.steps) + scenario.steps).forEach { read($0) }
      (scenario.given.flatMap(\.holds) + scenario.witness + scenario.controls).forEach { read($0) }
      (scenario.assumes + scenario.claims).forEach { read($0.assertion) }
    }
    readOperators(in: text)
  }

  private mutating func read(_ step: Step) {
    steps.insert(step.action.word)
    switch step.action {
    case .fault(let fault): faults.insert(fault.kind.word)
    case .await(let wait):
      switch wait.target {
      case .observed(let selector): read(selector)
      case .reply: selectors.insert("reply")
      }
    case .attempt(let attempt): read(attempt.until)
    default: break
    }
    step.inner.forEach { read($0) }
  }

  private mutating func read(_ assertion: Claim.Assertion) {
    assertions.insert(assertion.word)
    switch assertion {
    case .count(let selector, _), .matches(let selector, _, _), .never(let selector), .series(let selector, _, _),
      .calledBack(let selector, _, _), .gaps(let selector, _), .atOnce(let selector, _), .golden(let selector):
      read(selector)
    case .order(let selectors): selectors.forEach { read($0) }
    case .gap(let from, let to, _):
      read(from)
      read(to)
    case .latest(let selector, _, let source, _):
      read(selector)
      read(source)
    case .equal(let references):
      for case .observed(let selector) in references.map(\.origin) { read(selector) }
    case .anyOf(let assertions): assertions.forEach { read($0) }
    case .returns, .survives, .check: break
    }
  }

  private mutating func read(_ selector: Selector) { selectors.insert(selector.subject.word) }

  private mutating func readOperators(in value: JSON) {
    switch value {
    case .array(let elements): elements.forEach { readOperators(in: $0) }
    case .object(let object):
      for member in object.members {
        if Template.operatorWords.contains(member.key) { operators.insert(member.key) }
        readOperators(in: member.value)
      }
    case .null, .bool, .number, .string: break
    }
  }
}
