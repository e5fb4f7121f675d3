extension CaseIterable where Self: RawRepresentable<String> {
  /// The case that is written so; nil for none.
  ///
  /// `init(rawValue:)` makes a table of many cases before it looks for the first. Who looks for a dozen in the life of a
  /// process is faster without.
  @inlinable package static func written(_ text: String) -> Self? { allCases.first { $0.rawValue == text } }
}
