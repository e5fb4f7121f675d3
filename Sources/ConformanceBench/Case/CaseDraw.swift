import ConformanceModel
import Processes
import Templates
import TextKit

/// The random values of a case: the date at which it begins, and the seed for its launches and its mock. They follow
/// from the seed of the run.
///
/// In every run with the same seed, a case gets the same values. But a subject cannot know them in advance: they differ
/// from case to case, and a case begins at one of about 120 instants.
struct CaseDraw: Hashable, Sendable {
  /// Instants at which dates are often computed wrongly, in ISO 8601 and UTC.
  static let instants = [
    "2025-05-06T14:07:31.050Z",  // an afternoon; milliseconds that begin with a zero
    "2026-02-17T11:40:02.005Z",  // an hour before noon; milliseconds of one digit
    "2024-12-30T09:15:00.500Z",  // belongs to week 1 of 2025
    "2027-01-02T18:10:09.070Z",  // belongs to week 53 of 2026
    "2025-12-31T23:59:30.999Z",  // the year ends within the case
    "2028-02-29T16:20:00.000Z",  // a leap day; a whole second
    "2025-08-31T21:30:44.100Z",  // the last day of a month
  ].compactMap { Timestamp($0)?.milliseconds }

  let seed: UInt64
  /// The date at logical time zero of a virtual clock, in milliseconds since 1970.
  let epoch: Int

  init(_ instance: CaseInstance, seed: UInt64) {
    var random = SeededRandom(seed: seed &+ "\(instance)".stableHash)
    self.seed = random.next()
    let change = Timestamp(ProgramLocale.zone(drawnBy: seed).beforeChange).map { [$0.milliseconds] } ?? []
    // Only whole seconds are added, so that the milliseconds of the instant stay the same.
    epoch = random.pick(Self.instants + change) + Int(random.next() % 15) * 1000
  }
}
