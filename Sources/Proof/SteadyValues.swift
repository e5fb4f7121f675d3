import ConformanceModel
import ConformanceRunner
import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// The values in the events of each case that are the same in all runs of an implementation.
struct SteadyValues {
  /// A place in the events of a case.
  private struct Place: Hashable {
    var instance: CaseInstance
    var path: String
  }

  /// The values of the first run; nil before the first run.
  private var first: [Place: String]?
  /// The places at which the runs have different values, or which some runs do not have.
  private var unsteady: Set<Place> = []

  /// Adds another run of the implementation.
  mutating func add(_ results: [CaseResult]) {
    var values: [Place: String] = [:]
    for result in results {
      for (path, value) in result.transcript.comparableValues {
        values[Place(instance: result.instance, path: path)] = value
      }
    }
    guard let first else { return first = values }
    unsteady.formUnion(Set(first.keys).union(values.keys).filter { first[$0] != values[$0] })
  }

  /// Whether at some place the value of one implementation differs from the value of the other. Only values that are
  /// the same in all runs count. A place that only one of the two implementations has is a difference, too.
  func differ(from other: Self) -> Bool {
    let (own, others) = (first ?? [:], other.first ?? [:])
    return Set(own.keys).union(others.keys).subtracting(unsteady).subtracting(other.unsteady)
      .contains { own[$0] != others[$0] }
  }
}

extension Transcript {
  /// The values in the events, by their places. With a real clock, the times of the events are left out.
  fileprivate var comparableValues: [String: String] {
    let particulars = Particulars(self)
    var values: [String: String] = [:]
    for (index, entry) in entries.enumerated() {
      entry.representation.visitLeaves(at: "\(index)") { place, value in
        if header.clock != .virtual, place == "\(index).at" { return }
        values[place] = particulars.normal(value.compactText)
      }
    }
    return values
  }
}

extension JSON {
  /// Calls the closure with each value that is neither an object nor an array, and with the place of the value.
  fileprivate func visitLeaves(at place: String, _ visit: (String, JSON) -> Void) {
    switch self {
    case .object(let object):
      for member in object.members { member.value.visitLeaves(at: "\(place).\(member.key)", visit) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { element.visitLeaves(at: "\(place).\(index)", visit) }
    default: visit(place, self)
    }
  }
}
