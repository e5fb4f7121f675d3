/// What a subject lacks that a case needs; the ending `unsupported` of a transcript says it as text.
package enum Lack: Hashable, Sendable {
  case capability(String)
  case dialect(Dialect)
  /// A clock that can be moved: the case lets so much time pass, for which nobody waits.
  case virtualClock(LogicalTime)
}

extension Lack: CustomStringConvertible {
  /// No name of a capability has a space.
  private static let dialectMark = "dialect "
  private static let clockMark = "virtual clock for "

  package var description: String {
    switch self {
    case .capability(let name): name
    case .dialect(let dialect): "\(Self.dialectMark)\(dialect)"
    case .virtualClock(let span): "\(Self.clockMark)\(span)"
    }
  }

  /// Reads what ``description`` says.
  package init(_ text: String) {
    if text.hasPrefix(Self.dialectMark) {
      self = .dialect(Dialect(String(text.dropFirst(Self.dialectMark.count))))
    } else if text.hasPrefix(Self.clockMark), let span = LogicalTime(String(text.dropFirst(Self.clockMark.count))) {
      self = .virtualClock(span)
    } else {
      self = .capability(text)
    }
  }
}
