/// The names of holes, and of parts of holes, whose values the kit provides.
package enum HoleName {
  /// The names of holes that have a value in every case. Neither a row nor a loop may define one of these names.
  package static let common: Set<String> = ["now", "today", "unique"]
  /// The parts of a service's address that a hole can name, such as `url` in `${api.url}`.
  package static let addressParts = ["url", "port", "host"]
}

extension String {
  /// The part of a dotted name before the first dot.
  package var base: String { String(prefix { $0 != "." }) }
}
