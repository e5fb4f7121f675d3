import ConformanceModel
import ConformanceVerdict

/// Where the documents say a requirement: stated ones before published ones, the kit's positions last, and among equals
/// in the order of the document's sections.
struct DocumentPlace: Hashable, Comparable {
  private let basis: Int
  private let document: String
  /// The numbers of a section, such as 2 and 4 of `2 Linking, step 4`; one without a number comes after those with one.
  private let numbers: [Int]
  private let requirement: RequirementID

  init(of rule: RunRecord.Rule, _ requirement: RequirementID) {
    basis =
      switch rule.basis {
      // A request of a wrong form is refused, and much else fails by that.
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
