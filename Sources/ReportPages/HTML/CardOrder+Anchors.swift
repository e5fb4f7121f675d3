import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Records

extension CardOrder {
  /// Maps each requirement to the anchor of the card about it in a page.
  var anchors: [RequirementID: String] {
    var anchors: [RequirementID: String] = [:]
    for (words, groups) in [("advisory", advisory), ("card", self.groups)] {
      for group in groups {
        let anchor = Self.anchor(of: group.lead.requirement, words)
        for requirement in group.requirements { anchors[requirement] = anchor }
      }
    }
    return anchors
  }

  /// The anchor of the card of this kind about this requirement.
  static func anchor(of requirement: RequirementID, _ kind: String) -> String {
    "\(kind)-\(MarkupTemplates.anchor(requirement.rawValue))"
  }
}
