import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates
import TextKit

extension CaseInstance {
  /// The bindings that every case has: the time and the day of its start, and a text that is unique to this run of the
  /// case.
  ///
  /// - Parameter epoch: the start of the case, in milliseconds since 1970.
  package func bindings(epoch: Int) -> Bindings {
    let unique = String(epoch, radix: 36) + String("\(self)".stableHash % 2_176_782_336, radix: 36)
    let now = Timestamp(milliseconds: epoch).text
    return ["now": .string(now), "today": .string(String(now.prefix { $0 != "T" })), "unique": .string(unique)]
  }
}
