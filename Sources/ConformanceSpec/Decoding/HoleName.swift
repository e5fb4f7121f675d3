/// The names of holes that have a value everywhere.
package enum HoleName {
  /// Those that every case is given, which no row and no loop may use.
  package static let common: Set<String> = ["now", "today", "unique"]
  /// What is known of the address of a service.
  package static let addressParts = ["url", "port", "host"]
}

extension String {
  /// The name that a dotted name reaches into.
  package var base: String { String(prefix { $0 != "." }) }
}
