import ConformanceModel

/// One of the ways in which LinkForty servers answer.
package enum ServerDialect: String, CaseIterable, Sendable {
  /// The specification to the letter: canonical models, bad input refused with 4xx.
  case spec
  /// LinkForty Core 1.21.0 as it was shipped: legacy names, `{}` for organic, bad input answered with 500.
  case core121 = "core-1.21"
  /// Core as it was developed further: canonical names, the legacy ones repeated, `null` for organic.
  case coreNext = "core-next"
  /// The hosted service: as ``coreNext``, with API keys, simplified links, users and documented errors.
  case cloud

  /// The dialect of this name; an unknown dialect is answered as ``spec``.
  package init(_ dialect: Dialect) { self = ServerDialect(rawValue: dialect.rawValue) ?? .spec }

  /// Whether it is the open-source server: no keys, no users, no simplified links, and bad input ends as 500.
  package var isCore: Bool { self == .core121 || self == .coreNext }

  /// Whether links are projected as Core does it after 1.21: `isDeferred` beside the canonical names, and in install
  /// answers the legacy names as well.
  package var saysWhetherDeferred: Bool { self == .coreNext || self == .cloud }
}
