import HTTPValues
import JSONKit
import Templates

/// The constraints on one member of a request body. A list of such constraints validates a body.
struct FieldRule: Hashable, Sendable {
  /// The types that members have.
  enum Kind: String, Hashable, Sendable {
    case text = "string"
    case number
    case integer
    case boolean
    case object
    case strings = "array"
    case uuid
    /// A time in ISO 8601 that ends in `Z`.
    case timestamp
    /// A time in ISO 8601 with any offset from UTC.
    case instant
    case url
  }

  var name: String
  var kind: Kind
  var isRequired = false
  /// The number of characters that the schema allows for a text.
  var length: ClosedRange<Int>?
  /// The range that the schema allows for a number.
  var range: ClosedRange<Int>?
  /// The limit of the database column. The schema does not check this limit, so a client sees it only in the error of a
  /// failed insert.
  var column: Column?

  /// A database column.
  enum Column: Hashable, Sendable {
    case text(Int)
    case integer
    /// JSON. Its texts must not contain a NUL.
    case json
  }

  init(
    _ name: String, _ kind: Kind, isRequired: Bool = false, length: ClosedRange<Int>? = nil,
    range: ClosedRange<Int>? = nil, column: Column? = nil
  ) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.length = length
    self.range = range
    self.column = column
  }

  /// The problem of the member in a body; nil if the member is valid. An absent member has a different problem from a
  /// member with the value null.
  func problem(in body: JSON.Object) -> Problem? {
    guard let value = body[name] else { return isRequired ? .missing(kind) : nil }
    guard let reason = schemaProblem(value) ?? columnProblem(value) else { return nil }
    return reason
  }

  private func schemaProblem(_ value: JSON) -> Problem? {
    switch (kind, value) {
    case (.text, .string(let text)): return lengthProblem(text)
    case (.uuid, .string(let text)): return UUIDText.isValid(text) ? nil : .malformed("uuid")
    case (.timestamp, .string(let text)):
      let isTimestamp = text.hasSuffix("Z") && text.dropFirst(10).first == "T" && Timestamp(text) != nil
      return isTimestamp ? nil : .malformed("datetime")
    case (.instant, .string(let text)): return Timestamp(text) != nil ? nil : .malformed("datetime")
    case (.url, .string(let text)): return URLText(text)?.scheme != nil ? nil : .malformed("url")
    case (.number, .number(let number)): return rangeProblem(number)
    case (.integer, .number(let number)): return number.isInteger ? rangeProblem(number) : .wrongType(.integer, "float")
    case (.object, .object), (.boolean, .bool): return nil
    case (.strings, .array(let elements)): return elements.allSatisfy { $0.string != nil } ? nil : .wrongType(.text, "")
    default: return .wrongType(kind, value.zodTypeName)
    }
  }

  private func lengthProblem(_ text: String) -> Problem? {
    guard let length else { return nil }
    if text.count < length.lowerBound { return .tooShort(length.lowerBound) }
    return text.count > length.upperBound ? .tooLong(length.upperBound) : nil
  }

  private func rangeProblem(_ number: JSON.Number) -> Problem? {
    guard let range else { return nil }
    if number.isLess(than: JSON.Number(range.lowerBound)) { return .tooSmall(range.lowerBound) }
    return JSON.Number(range.upperBound).isLess(than: number) ? .tooBig(range.upperBound) : nil
  }

  private func columnProblem(_ value: JSON) -> Problem? {
    switch (column, value) {
    case (.text(let limit), .string(let text)):
      if text.unicodeScalars.contains("\0") { return .storage("invalid byte sequence for encoding \"UTF8\": 0x00") }
      return text.count > limit ? .storage("value too long for type character varying(\(limit))") : nil
    case (.json, _):
      return value.holdsNUL ? .storage("unsupported Unicode escape sequence") : nil
    case (.integer, .number(let number)):
      guard number.isInteger else { return .storage("invalid input syntax for type integer: \"\(number.lexeme)\"") }
      let fits = number.int.map { Int32(exactly: $0) != nil } ?? false
      return fits ? nil : .storage("value \"\(number.lexeme)\" is out of range for type integer")
    default: return nil
    }
  }
}

extension FieldRule {
  /// The way in which a member violates its rule.
  enum Problem: Hashable, Sendable {
    case missing(Kind)
    case wrongType(Kind, String)
    case malformed(String)
    case tooShort(Int)
    case tooLong(Int)
    case tooSmall(Int)
    case tooBig(Int)
    /// The database rejects the value with this message.
    case storage(String)
  }
}

extension FieldRule.Kind {
  /// The name of the kind's JSON type.
  var jsonType: String {
    switch self {
    case .uuid, .timestamp, .instant, .url: "string"
    default: rawValue
    }
  }
}

extension JSON {
  /// Whether a text, or a member's name, contains a NUL.
  fileprivate var holdsNUL: Bool {
    switch self {
    case .string(let text): text.unicodeScalars.contains("\0")
    case .array(let elements): elements.contains(where: \.holdsNUL)
    case .object(let object): object.members.contains { $0.key.unicodeScalars.contains("\0") || $0.value.holdsNUL }
    default: false
    }
  }

  /// The name that the library zod has for the value's type.
  var zodTypeName: String { number == nil ? typeName : "number" }
}
