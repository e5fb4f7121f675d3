import ConformanceModel

/// A variety of LinkForty servers. The varieties differ in their answers.
package enum ServerDialect: String, CaseIterable, Sendable {
  /// The specification to the letter: canonical names, and a 4xx status for invalid input.
  case spec
  /// LinkForty Core 1.21.0 as it was shipped: legacy names, `{}` for an organic install, and the status 500 for invalid
  /// input.
  case core121 = "core-1.21"
  /// Core after 1.21: canonical names, and `null` for an organic install. Answers to installs contain the legacy names,
  /// too.
  case coreNext = "core-next"
  /// The hosted service: like ``coreNext``, but with API keys, simplified links, users and documented errors.
  case cloud

  /// The dialect with this name; ``spec`` for an unknown name.
  package init(_ dialect: Dialect) { self = ServerDialect(rawValue: dialect.rawValue) ?? .spec }

  /// Whether the dialect belongs to the open-source server, which has no keys, users or simplified links, and answers
  /// invalid input with the status 500.
  package var isCore: Bool { self == .core121 || self == .coreNext }

  /// Whether links contain `isDeferred`, as in Core after 1.21. In answers to installs, such a server also sends the
  /// legacy names.
  package var saysWhetherDeferred: Bool { self == .coreNext || self == .cloud }
}
