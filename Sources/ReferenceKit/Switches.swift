import ConformanceModel

/// All defects and legal variants of a reference. The raw value is the stable id.
package protocol SwitchList: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
  /// True if the switch is legal behaviour, which a case must not report as a violation; false if it is a defect.
  var isVariant: Bool { get }
}

/// The switches that are on. If no switch is on, a reference follows the specification.
package struct Switches<List: SwitchList>: Hashable, Sendable {
  private let on: Set<List>

  package init(_ on: Set<List> = []) { self.on = on }

  /// The switches of the list whose ids are in the set. Ids that are not in the list are ignored.
  package init(ids: Set<DefectID>) {
    on = Set(List.allCases.filter { ids.contains(DefectID($0.rawValue)) })
  }

  package func has(_ one: List) -> Bool { on.contains(one) }

  /// All ids of the list.
  package static var allIDs: Set<DefectID> { Set(List.allCases.map { DefectID($0.rawValue) }) }
}
