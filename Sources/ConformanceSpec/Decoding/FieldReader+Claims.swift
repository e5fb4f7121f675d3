import ConformanceModel
import JSONKit

extension FieldReader {
  /// The assertion of a claim or a witness.
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
    case "equal": return .equal(elements(field).map { reference($0) })
    case "returns": return .returns(members(field).map { .init(label: $0.key, template: template($0.field)) })
    case "unique": return .unique(selector(field), at: pathMember(of: field))
    case "calledBack":
      return .calledBack(
        selector(field), times: template(field.member("times"), otherwise: 1),
        with: optionalTemplate(field.member("with")))
    case "survives": return .survives
    default: return .check(name: text(field.member("name")), with: field.value["with"] ?? [:])
    }
  }

  mutating func selector(_ field: JSONField?) -> Selector {
    let subject: Selector.Subject =
      if let callback = field?.member("callback") {
        .callback(handle: text(callback))
      } else {
        .request(exchange: text(field?.member("request")))
      }
    return Selector(
      subject, upstream: field?.member("upstream").map { text($0) }, after: field?.member("after").map { text($0) },
      before: field?.member("before").map { text($0) }, filter: optionalTemplate(field?.member("where")))
  }

  private mutating func reference(_ field: JSONField) -> Claim.Reference {
    let origin: Claim.Reference.Origin =
      field.member("returned").map { .returned(text($0)) } ?? .observed(selector(field))
    return .init(origin: origin, path: pathMember(of: field))
  }

  private mutating func pathMember(of field: JSONField) -> JSONPath {
    field.member("at").map { path($0) } ?? .root
  }
}

extension Claim.Assertion {
  /// The closed vocabulary, as it is spelled.
  static let words = [
    "count", "never", "matches", "order", "gap", "equal", "returns", "unique", "calledBack", "survives", "check",
  ]
}
