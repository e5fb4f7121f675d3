import ConformanceModel
import JSONKit

extension FieldReader {
  /// The assertion of an entry in `claims`, `witness`, `controls` or another list of assertions.
  mutating func assertion(_ claim: JSONField) -> Claim.Assertion? {
    guard let (word, field) = claim.firstMember(of: Claim.Assertion.words) else {
      report(claim.problem(expectedOneOf: Claim.Assertion.words))
      return nil
    }
    switch word {
    case "count": return .count(selector(field), is: template(field.member("is")))
    case "never": return .never(selector(field))
    case "matches":
      return .matches(
        selector(field), which: self.word(field.member("which"), otherwise: .each), is: template(field.member("is")))
    case "order": return .order(elements(field).map { selector($0) })
    case "gap":
      return .gap(
        from: selector(field.member("from")), to: selector(field.member("to")), is: template(field.member("is")))
    case "gaps": return .gaps(selector(field), are: elements(field.member("are")).map { template($0) })
    case "equal": return .equal(elements(field).map { reference($0) })
    case "returns": return .returns(members(field).map { .init(label: $0.key, template: template($0.field)) })
    case "series":
      return .series(
        selector(field), at: pathMember(of: field), is: self.word(field.member("is"), otherwise: .different))
    case "latest":
      let source = field.member("from")
      return .latest(
        selector(field), at: pathMember(of: field), from: selector(source),
        fromPath: source.map { pathMember(of: $0) } ?? .root)
    case "at-once": return .atOnce(requestSelector(field), is: template(field.member("is")))
    case "golden": return .golden(requestSelector(field))
    case "any-of": return .anyOf(elements(field).compactMap { assertion($0) })
    case "called-back":
      return .calledBack(
        selector(field), times: template(field.member("times"), otherwise: ["$at-least": 1]),
        with: optionalTemplate(field.member("with")))
    case "survives": return .survives
    default: return .check(name: text(field.member("name")), with: field.value["with"] ?? [:])
    }
  }

  mutating func selector(_ field: JSONField?) -> Selector {
    Selector(
      subject(field), at: field?.member("at").map { ServiceName(text($0)) },
      after: field?.member("after").map { text($0) },
      before: field?.member("before").map { text($0) }, filter: optionalTemplate(field?.member("where")),
      items: field?.member("items").map { path($0) })
  }

  /// A selector that must select requests. It belongs to an assertion that makes no sense for other observations:
  /// `atOnce` counts requests that are open at the same time, and `golden` compares requests with the catalogue.
  private mutating func requestSelector(_ field: JSONField) -> Selector {
    let selector = selector(field)
    if case .request = selector.subject { return selector }
    let word = selector.subject.word
    report(
      .init(
        path: field.path.appending(key: word), expected: "'request' with the name of an exchange, or any",
        found: "'\(word)'"))
    return selector
  }

  private mutating func subject(_ field: JSONField?) -> Selector.Subject {
    if let callback = field?.member("callback") { return .callback(handle: text(callback)) }
    if let response = field?.member("response") { return .response(exchange: text(response)) }
    if let reply = field?.member("reply") { return .reply(label: text(reply)) }
    if let step = field?.member("step") { return .step(label: text(step)) }
    if field?.member("closed") != nil { return .closed }
    return .request(exchange: text(field?.member("request")))
  }

  private mutating func reference(_ field: JSONField) -> Claim.Reference {
    let origin: Claim.Reference.Origin =
      field.member("returned").map { .returned(text($0)) } ?? .observed(selector(field))
    return .init(origin: origin, path: pathMember(of: field))
  }

  private mutating func pathMember(of field: JSONField) -> JSONPath {
    field.member("path").map { path($0) } ?? .root
  }
}
