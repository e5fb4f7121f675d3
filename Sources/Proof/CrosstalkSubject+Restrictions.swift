import ConformanceModel
import ReferenceKit

extension CrosstalkSubject {
  /// The reserved variants for the restrictions of the subject.
  package var restrictions: [DefectID] {
    lacks.map { Restrictions.lacking($0) } + (refusesEarly ? [Restrictions.earlyRefused] : [])
  }
}
