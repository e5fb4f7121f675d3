/// A lossless JSON value: number lexemes, member order and duplicate keys survive a round trip.
///
/// `==` is exact: `1` differs from `1.0`, a precomposed `é` differs from `e` with a combining accent, and member order
/// counts. Use ``isEquivalent(to:)`` to compare values as a receiver would. Source: RFC 8259; I-JSON (RFC 7493)
/// explains why duplicates and precision must stay visible in evidence.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Number)
  case string(String)
  case array([JSON])
  case object(Object)

  /// The members of an object in the order in which they were written, duplicates included.
  package struct Object: Hashable, Sendable {
    /// One `"key": value` of an object.
    package struct Member: Hashable, Sendable {
      package var key: String
      package var value: JSON

      package init(key: String, value: JSON) {
        self.key = key
        self.value = value
      }

      package static func == (left: Self, right: Self) -> Bool {
        left.key.hasSameScalars(as: right.key) && left.value == right.value
      }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    /// The keys in order, duplicates included.
    package var keys: [String] { members.map(\.key) }

    /// The first key that occurs more than once; nil if all keys are different.
    package var duplicateKey: String? {
      guard hasKeysThatLookEqual else { return nil }
      // `String` treats canonically equivalent names as equal, but they differ on the wire.
      var seen: Set<[UInt8]> = []
      return members.first { !seen.insert(Array($0.key.utf8)).inserted }?.key
    }

    /// Whether `String` considers two of the keys equal. Up to eight keys are compared in pairs, since this takes less
    /// time than building a set.
    private var hasKeysThatLookEqual: Bool {
      guard members.count <= 8 else { return Set(members.lazy.map(\.key)).count < members.count }
      return members.indices.contains { index in
        members[..<index].contains { $0.key == members[index].key }
      }
    }

    /// The value of the last member with this key, since most parsers keep the last member. Setting replaces this
    /// value, or appends a member if the key is new. Setting nil removes all members with the key.
    package subscript(key: String) -> JSON? {
      get { members.last { $0.key.hasSameScalars(as: key) }?.value }
      set {
        guard let newValue else { return members.removeAll { $0.key.hasSameScalars(as: key) } }
        if let index = members.lastIndex(where: { $0.key.hasSameScalars(as: key) }) {
          members[index].value = newValue
        } else {
          members.append(Member(key: key, value: newValue))
        }
      }
    }
  }
}

extension JSON {
  /// A copy in which each object keeps only the last of several members with the same name, as most parsers do (RFC
  /// 8259 §4).
  package var keepingLastMembers: JSON {
    guard hasRepeatedMembers else { return self }
    switch self {
    case .array(let elements): return .array(elements.map(\.keepingLastMembers))
    case .object(let object):
      var kept = Object()
      for member in object.members { kept[member.key] = member.value.keepingLastMembers }
      return .object(kept)
    default: return self
    }
  }

  private var hasRepeatedMembers: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.hasRepeatedMembers)
    case .object(let object):
      object.duplicateKey != nil || object.members.contains(where: \.value.hasRepeatedMembers)
    default: false
    }
  }
}

extension JSON {
  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// The name of the value's type in JSON Schema.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number(let number): number.isInteger ? "integer" : "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The text of a string value.
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value of a boolean.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number if the value is a number; otherwise nil.
  package var number: Number? { if case .number(let value) = self { value } else { nil } }
  /// The number as an `Int` if its value is integral (`3`, `3.0`, `3e0`) and fits; nil otherwise.
  package var int: Int? { number?.int }
  /// The elements of an array.
  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  /// The members of an object.
  package var object: Object? { if case .object(let value) = self { value } else { nil } }
  /// Whether the value is `null`.
  package var isNull: Bool { self == .null }

  /// The value of an object's member; nil if the member is absent or the value is not an object.
  package subscript(key: String) -> JSON? { object?[key] }

  /// Whether both values mean the same to a receiver. Numbers are compared as doubles, as most receivers read them (RFC
  /// 8259 §6). The order of members does not count. If a member occurs several times, only the last one counts.
  package func isEquivalent(to other: JSON) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left.isEqual(to: right) || left.isSameDouble(as: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      right.keys.allSatisfy { left[$0] != nil }
        && left.keys.allSatisfy { key in
          guard let one = left[key], let two = right[key] else { return false }
          return one.isEquivalent(to: two)
        }
    default: self == other
    }
  }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(Number(value)) }
  package init(floatLiteral value: Double) { self = .number(Number(value) ?? Number(0)) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Object(elements.map { Object.Member(key: $0.0, value: $0.1) }))
  }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(elements.map { Member(key: $0.0, value: $0.1) })
  }
}

extension JSON {
  /// An object with the given members in their order. Members whose value is nil are left out.
  package static func object(compact members: [(String, JSON?)]) -> JSON {
    .object(Object(members.compactMap { key, value in value.map { Object.Member(key: key, value: $0) } }))
  }

  /// A number from an integer.
  package static func int(_ value: Int) -> JSON { .number(Number(value)) }
  package static func strings(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }
}

extension String {
  /// Whether both texts are the same Unicode scalars. `==` also equates canonically equivalent texts, which differ on
  /// the wire.
  func hasSameScalars(as other: String) -> Bool {
    // Most keys that differ have different lengths, and the comparison of lengths is fast.
    guard utf8.count == other.utf8.count else { return false }
    let isSame = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        UnsafeRawBufferPointer(mine).elementsEqual(UnsafeRawBufferPointer(theirs))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
