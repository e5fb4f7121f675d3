/// A name that never changes, and identifies a thing in data, in reports and on the command line.
package protocol Identifier: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible,
  ExpressibleByStringLiteral
where RawValue == String {
  init(rawValue: String)
}

extension Identifier {
  package init(_ rawValue: String) { self.init(rawValue: rawValue) }
  package init(stringLiteral value: String) { self.init(rawValue: value) }
  package var description: String { rawValue }
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The id of a requirement, such as `LF-OFF-006`. It never changes, and never names another requirement.
package struct RequirementID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The part of the id between the first and the last hyphen, in lower case: `off` for `LF-OFF-006`. Reports group
  /// requirements by it.
  package var area: String {
    let parts = rawValue.split(separator: "-")
    return parts.count >= 3 ? parts[1...(parts.count - 2)].joined(separator: "-").lowercased() : rawValue.lowercased()
  }
}

/// The id of a position that the kit takes where the documents are silent, such as `P-4` or `AMB-09`.
package struct PositionID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a case without its row, such as `offline.capacity`.
package struct CaseID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a defect or variant that a reference can switch on, such as `queue.capacity-99`.
package struct DefectID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of one of the variants of a protocol that servers use, such as `core-1.21`.
package struct Dialect: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// In fixtures, the key of the entry that applies to every dialect without an entry of its own.
  package static let any: Dialect = "any"
}

/// The kind of a subject under test, such as `sdk`. The protocol's definition lists the ports of each role.
package struct Role: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a set of exchanges behind one base URL, such as `events`.
package struct ServiceName: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}
