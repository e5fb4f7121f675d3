import JSONKit

/// A problem with a member of a request body, or with the body as a whole if ``member`` is nil.
package struct FieldIssue: Hashable, Sendable {
  var member: String?
  var problem: FieldRule.Problem

  /// The issue as a sentence, such as `userAgent is required`.
  var sentence: String {
    let subject = member ?? "the body"
    return switch problem {
    case .missing: "\(subject) is required"
    case .wrongType(let kind, let found): "\(subject) must be of type \(kind.jsonType), found \(found)"
    case .malformed(let what): "\(subject) is not a valid \(what)"
    case .tooShort(let limit): "\(subject) must have at least \(limit) characters"
    case .tooLong(let limit): "\(subject) must have at most \(limit) characters"
    case .tooSmall(let limit): "\(subject) must be at least \(limit)"
    case .tooBig(let limit): "\(subject) must be at most \(limit)"
    case .storage(let text): "\(subject): \(text)"
    }
  }

  /// The issue in the form in which the library zod writes it into the message of an error. Core uses zod.
  var zodIssue: JSON {
    let path: JSON = member.map { [.string($0)] } ?? []
    switch problem {
    case .missing(let kind):
      return type(kind.jsonType, "undefined", path, "Required")
    case .wrongType(let kind, let found):
      return type(kind.jsonType, found, path, "Expected \(kind.jsonType), received \(found)")
    case .malformed(let what):
      return [
        "validation": .string(what), "code": "invalid_string", "message": .string("Invalid \(what)"), "path": path,
      ]
    case .tooShort(let limit):
      return bound("too_small", "minimum", limit, "string", path, "String must contain at least \(limit) character(s)")
    case .tooLong(let limit):
      return bound("too_big", "maximum", limit, "string", path, "String must contain at most \(limit) character(s)")
    case .tooSmall(let limit):
      return bound("too_small", "minimum", limit, "number", path, "Number must be greater than or equal to \(limit)")
    case .tooBig(let limit):
      return bound("too_big", "maximum", limit, "number", path, "Number must be less than or equal to \(limit)")
    case .storage(let text): return ["code": "custom", "message": .string(text), "path": path]
    }
  }

  private func type(_ expected: String, _ received: String, _ path: JSON, _ message: String) -> JSON {
    [
      "code": "invalid_type", "expected": .string(expected), "received": .string(received), "path": path,
      "message": .string(message),
    ]
  }

  private func bound(
    _ code: String, _ key: String, _ limit: Int, _ type: String, _ path: JSON, _ message: String
  ) -> JSON {
    [
      "code": .string(code), key: .int(limit), "type": .string(type), "inclusive": true, "exact": false,
      "message": .string(message), "path": path,
    ]
  }
}

extension [FieldRule] {
  /// All problems that these rules find in a body.
  func issues(in body: JSON) -> [FieldIssue] {
    guard let object = body.object else {
      return [FieldIssue(member: nil, problem: .wrongType(.object, body.zodTypeName))]
    }
    return compactMap { rule in rule.problem(in: object).map { FieldIssue(member: rule.name, problem: $0) } }
  }
}
