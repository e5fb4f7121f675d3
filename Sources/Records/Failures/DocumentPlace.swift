import ConformanceModel
import ConformanceVerdict

/// The rank of a requirement by its place in the documents. Stated requirements come before published ones, and the
/// kit's positions come last. Requirements with the same basis are in the order of the document's sections.
struct DocumentPlace: Hashable, Comparable {
  private let basis: Int
  private let document: String
  /// The numbers in the name of the section, such as 2 and 4 in `2 Linking, step 4`. A section without a number comes
  /// last.
  private let numbers: [Int]
  private let requirement: RequirementID

  init(of rule: RunRecord.Rule, _ requirement: RequirementID) {
    basis =
      switch rule.basis {
      // A request in a wrong form is refused, and many other requirements then fail, too.
      case .standard: 0
      case .stated: 1
      case .published: 2
      case .observed: 3
      case .position: 4
      }
    document = rule.source.document
    let numbers = rule.source.section.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    self.numbers = numbers.isEmpty ? [.max] : numbers
    self.requirement = requirement
  }

  static func < (left: Self, right: Self) -> Bool {
    if (left.basis, left.document) != (right.basis, right.document) {
      return (left.basis, left.document) < (right.basis, right.document)
    }
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    return left.requirement < right.requirement
  }
}
