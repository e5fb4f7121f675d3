import ConformanceModel
import ReferenceKit

extension CrosstalkSubject {
  /// The reserved variants that restrict the subject: its missing capabilities, and the refusal of early callbacks.
  package var restrictions: [DefectID] {
    lacks.map { Restrictions.lacking($0) } + (refusesEarly ? [Restrictions.earlyRefused] : [])
  }
}
