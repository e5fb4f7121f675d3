/// A stable name that addresses a thing in data, reports and on the command line.
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

/// `LF-OFF-006`: a requirement. Never positional, never reused.
package struct RequirementID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The middle word in lower case (`off`), which groups requirements in reports.
  package var area: String {
    let parts = rawValue.split(separator: "-")
    return parts.count >= 3 ? parts[1...(parts.count - 2)].joined(separator: "-").lowercased() : rawValue.lowercased()
  }
}

/// `P-4`, `AMB-09`: a position the kit takes where the documents are silent.
package struct PositionID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// `offline.capacity`: a case, without its row.
package struct CaseID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// `queue.capacity-99`: a defect that a reference peer switches on.
package struct DefectID: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// `core-1.21`: one of the ways servers of a protocol answer.
package struct Dialect: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The name in fixtures for every dialect that is not listed.
  package static let any: Dialect = "any"
}

/// `sdk`: what is under test. The protocol's definition lists its ports.
package struct Role: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}

/// `events`: a set of exchanges behind one base URL.
package struct ServiceName: Identifier {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
}
