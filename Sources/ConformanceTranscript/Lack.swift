import ConformanceModel
import Templates

/// The feature that a subject lacks and a case needs; the ending `unsupported` of a transcript contains this feature as
/// text.
package enum Lack: Hashable, Sendable {
  case capability(String)
  case dialect(Dialect)
  /// A clock that the kit can move. The case lets this logical time pass, and the kit cannot wait that long in real
  /// time.
  case virtualClock(LogicalTime)
  /// An ability of the place where the subject's adapter runs.
  case host(HostAbility)
}

extension Lack: CustomStringConvertible {
  /// The prefix of a dialect in ``description``. Its space distinguishes a dialect from a capability, whose name cannot
  /// contain a space.
  private static let dialectMark = "dialect "
  private static let clockMark = "virtual clock for "
  private static let hostMark = "host that can "

  package var description: String {
    switch self {
    case .capability(let name): name
    case .dialect(let dialect): "\(Self.dialectMark)\(dialect)"
    case .virtualClock(let span): "\(Self.clockMark)\(span)"
    case .host(let ability): "\(Self.hostMark)\(ability.rawValue)"
    }
  }

  /// Parses ``description``.
  package init(_ text: String) {
    if text.hasPrefix(Self.dialectMark) {
      self = .dialect(Dialect(String(text.dropFirst(Self.dialectMark.count))))
    } else if text.hasPrefix(Self.clockMark), let span = LogicalTime(String(text.dropFirst(Self.clockMark.count))) {
      self = .virtualClock(span)
    } else if text.hasPrefix(Self.hostMark),
      let ability = HostAbility(rawValue: String(text.dropFirst(Self.hostMark.count)))
    {
      self = .host(ability)
    } else {
      self = .capability(text)
    }
  }
}
