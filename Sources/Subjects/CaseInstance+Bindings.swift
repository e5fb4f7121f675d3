import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates
import TextKit

extension CaseInstance {
  /// The names that have a value in every case: `now` (the instant at which the case starts), `today` (the day of this
  /// instant) and `unique` (a text that no other run of a case has).
  ///
  /// - Parameter epoch: the start of the case, in milliseconds since 1970.
  package func bindings(epoch: Int) -> Bindings {
    let unique = String(epoch, radix: 36) + String("\(self)".stableHash % 2_176_782_336, radix: 36)
    let now = Timestamp(milliseconds: epoch).text
    return ["now": .string(now), "today": .string(String(now.prefix { $0 != "T" })), "unique": .string(unique)]
  }
}
