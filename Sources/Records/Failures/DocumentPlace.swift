import ConformanceModel
import ConformanceVerdict

/// The rank of a requirement by its place in the documents. Requirements of a standard come first, then stated,
/// published and observed requirements, and at last the kit's positions. Requirements with the same basis are in the
/// order of their sentences in the documents. Requirements without such a sentence come last within their basis.
struct DocumentPlace: Hashable, Comparable {
  private let basis: Int
  private let place: Int
  private let requirement: RequirementID

  init(of ruling: RunRecord.Ruling) {
    basis =
      switch ruling.rule.basis {
      // A request in a wrong form is refused, and many other requirements then fail, too.
      case .standard: 0
      case .stated: 1
      case .published: 2
      case .observed: 3
      case .position: 4
      }
    place = ruling.documentPlace ?? .max
    requirement = ruling.requirement
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.basis, left.place, left.requirement) < (right.basis, right.place, right.requirement)
  }
}
