/// A stable name that addresses a thing in data, reports and on the command line.
public protocol Identifier: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible,
  ExpressibleByStringLiteral
where RawValue == String {
  init(rawValue: String)
}

extension Identifier {
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }
  public init(stringLiteral value: String) { self.init(rawValue: value) }
  public var description: String { rawValue }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// `LF-OFF-006`: a requirement. Never positional, never reused.
public struct RequirementID: Identifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The middle word in lower case (`off`), which groups requirements in reports.
  public var area: String {
    let parts = rawValue.split(separator: "-")
    return parts.count >= 3 ? parts[1...(parts.count - 2)].joined(separator: "-").lowercased() : rawValue.lowercased()
  }
}

/// `P-4`: a position the kit takes where the documents are silent.
public struct PositionID: Identifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// `offline.capacity`: a case, without its row.
public struct CaseID: Identifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// `queue.capacity-99`: a defect that a reference peer switches on.
public struct DefectID: Identifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// `core-1.21`: one of the ways servers of a protocol answer.
public struct Dialect: Identifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}
