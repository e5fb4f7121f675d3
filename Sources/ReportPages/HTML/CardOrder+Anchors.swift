import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Records

extension CardOrder {
  /// The anchors of the cards in a page, by the requirements that the cards are about.
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

  /// The anchor of a card in a page.
  static func anchor(of requirement: RequirementID, _ kind: String) -> String {
    "\(kind)-\(MarkupTemplates.anchor(requirement.rawValue))"
  }
}
