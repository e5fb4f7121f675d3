extension CaseIterable where Self: RawRepresentable<String> {
  /// The case with this raw value; nil without one.
  ///
  /// `init(rawValue:)` of an enumeration with many cases builds a table at its first use. A process that looks up only
  /// a dozen values is faster without it.
  @inlinable package static func written(_ text: String) -> Self? { allCases.first { $0.rawValue == text } }
}
