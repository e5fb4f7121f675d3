import ConformanceModel
import ConformanceVerdict

/// The result of a run of all cases against an implementation with several defects.
package struct CrosstalkTrial: Hashable, Sendable {
  package var subject: CrosstalkSubject
  /// The defects that are detected when they are the only defect, in the same dialect and with the same missing
  /// capabilities, and that also have an effect when all defects are on.
  package var observable: [Defect]
  /// The violated requirements, except requirements of level OBSERVE and requirements that the implementation violates
  /// even without its defects.
  package var violated: [RequirementID]
  /// The violated requirements that no active defect and no missing capability explains.
  package var wrong: [RequirementID]

  /// - Parameters:
  ///   - noticed: the defects for ``observable``.
  ///   - violated: the requirements that are violated in the run.
  ///   - honest: the requirements that the implementation violates in the same dialect without its defects.
  package init(
    _ subject: CrosstalkSubject, noticed: Set<DefectID>, violated: Set<RequirementID>, honest: Set<RequirementID>,
    in catalogue: Catalogue
  ) {
    self.subject = subject
    observable = subject.defects.filter { noticed.contains($0.id) }
    let own = violated.subtracting(honest)
    self.violated = own.sorted()
    wrong = own.subtracting(subject.accountable(in: catalogue)).sorted()
  }

  /// The observable defects for which none of the requirements in `breaks` is violated.
  package var hidden: [Defect] {
    observable.filter { Set($0.breaks).isDisjoint(with: violated) }
  }

  /// The share of observable defects for which a requirement in `breaks` is violated.
  package var recall: ProofReport.Rate {
    .init(hits: observable.count - hidden.count, all: observable.count)
  }

  /// The share of violated requirements that an active defect or a missing capability explains.
  package var precision: ProofReport.Rate { .init(hits: violated.count - wrong.count, all: violated.count) }
}

extension CrosstalkSubject {
  /// The requirements that the subject may violate. Its defects name some of these requirements, and its missing
  /// capabilities name other ones. If the subject refuses early callbacks, the requirements about calls before the
  /// set-up are included too.
  func accountable(in catalogue: Catalogue) -> Set<RequirementID> {
    let named = defects.reduce(into: Set<RequirementID>()) { $0.formUnion($1.accountable(in: catalogue)) }
    let lacking = lacks.flatMap { catalogue.definition.capability($0)?.requirements ?? [] }
    return named.union(lacking).union(refusesEarly ? catalogue.definition.moments.early : [])
  }
}

extension Defect {
  /// The requirements that the defect may violate: the requirements in `breaks` and `follows`, and the requirements
  /// that include a requirement in `breaks`.
  func accountable(in catalogue: Catalogue) -> Set<RequirementID> {
    let including = catalogue.requirements.filter { !Set(breaks).isDisjoint(with: $0.includes) }
    return accountable.union(including.map(\.id))
  }
}

extension Sequence<CaseResult> {
  /// The requirements with a violation, except requirements of level OBSERVE.
  var violatedRequirements: Set<RequirementID> {
    reduce(into: []) { violated, result in
      for settled in result.settled where settled.requirement.level != .observe {
        if case .violates = settled.verdict.outcome { violated.insert(settled.requirement.id) }
      }
    }
  }
}

extension ProofReport.Rate {
  /// Adds the hits of several rates, and their totals.
  init(sum rates: some Sequence<ProofReport.Rate>) {
    self = rates.reduce(.init(hits: 0, all: 0)) { .init(hits: $0.hits + $1.hits, all: $0.all + $1.all) }
  }

  /// Whether at least `percent` percent of `all` are hits.
  func reaches(_ percent: Int) -> Bool { hits * 100 >= all * percent }
}
