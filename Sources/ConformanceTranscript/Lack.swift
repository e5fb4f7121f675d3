import ConformanceModel
import Templates

/// A thing that a case needs and its subject lacks. If a case does not run for this reason, the ending `unsupported` of
/// its transcript contains the lack as text.
package enum Lack: Hashable, Sendable {
  case capability(String)
  case dialect(Dialect)
  /// A virtual clock. The case lets this much logical time pass, and with the clocks that the subject supports, the kit
  /// would wait too long for it.
  case virtualClock(LogicalTime)
  /// An ability that the kit does not have on the machine on which the subject's adapter runs.
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
