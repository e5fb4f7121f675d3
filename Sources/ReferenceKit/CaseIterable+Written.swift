extension CaseIterable where Self: RawRepresentable<String> {
  /// The case of the enumeration with this raw value; nil if no case has it.
  ///
  /// `init(rawValue:)` of an enumeration with many cases builds a table at its first use. A process that looks up only
  /// a dozen values is faster without the table.
  @inlinable package static func written(_ text: String) -> Self? { allCases.first { $0.rawValue == text } }
}
