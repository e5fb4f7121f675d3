/// The names of holes, and of parts of holes, whose values the kit provides.
package enum HoleName {
  /// The names of holes that have a value in all cases. A row or a loop must not define one of these names.
  package static let common: Set<String> = ["now", "today", "unique"]
  /// The parts of the address of a service.
  package static let addressParts = ["url", "port", "host"]
}

extension String {
  /// The part of a dotted name before the first dot.
  package var base: String { String(prefix { $0 != "." }) }
}
