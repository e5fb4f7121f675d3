import ConformanceModel
import ReferenceKit

extension CrosstalkSubject {
  /// The variants that the kit reserves for restrictions: one for each capability that the subject lacks, and one if it
  /// refuses early callbacks.
  package var restrictions: [DefectID] {
    lacks.map { Restrictions.lacking($0) } + (refusesEarly ? [Restrictions.earlyRefused] : [])
  }
}
