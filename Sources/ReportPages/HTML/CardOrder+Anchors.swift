import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Records

extension CardOrder {
  /// Where a page has the card that is about a requirement.
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

  /// The name of a card in a page.
  static func anchor(of requirement: RequirementID, _ kind: String) -> String {
    "\(kind)-\(MarkupTemplates.anchor(requirement.rawValue))"
  }
}
