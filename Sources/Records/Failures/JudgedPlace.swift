import ConformanceModel
import ConformanceVerdict

/// A requirement and a run of a case that judges it. Each verdict is about one such place.
package struct JudgedPlace: Hashable, Comparable, Sendable {
  var requirement: RequirementID
  var instance: CaseInstance

  init(_ requirement: RequirementID, in instance: CaseInstance) {
    self.requirement = requirement
    self.instance = instance
  }

  package init(_ ruling: RunRecord.Ruling) { self.init(ruling.requirement, in: ruling.instance) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.requirement, left.instance) < (right.requirement, right.instance)
  }
}
