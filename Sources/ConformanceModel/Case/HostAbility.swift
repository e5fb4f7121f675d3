/// An ability that the kit has on an adapter's machine. If this is the kit's own machine, the kit has all abilities.
package enum HostAbility: String, CaseIterable, Comparable, Sendable {
  /// The kit can kill the app's process at any moment, and the app then loses its memory.
  case kill
  /// The storage of the app is a folder that the kit can search.
  case files

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
