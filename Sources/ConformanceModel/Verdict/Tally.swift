/// How many verdicts came to which disposition.
package struct Tally: Hashable, Sendable {
  /// Dispositions that no verdict came to are left out.
  package private(set) var counts: [Disposition: Int] = [:]

  package init() {}

  package init(_ dispositions: some Sequence<Disposition>) {
    for disposition in dispositions { add(disposition) }
  }

  package subscript(disposition: Disposition) -> Int { counts[disposition] ?? 0 }

  /// How many came to any of these.
  package subscript(dispositions: Set<Disposition>) -> Int { dispositions.reduce(0) { $0 + self[$1] } }

  package mutating func add(_ disposition: Disposition, times: Int = 1) {
    if times > 0 { counts[disposition, default: 0] += times }
  }

  /// What the shell is told. An interrupted run could not be judged whole, and one that skipped everything not at all.
  package func exitCode(wasInterrupted: Bool) -> ExitCode {
    if self[.fail] > 0 { return .violations }
    let hasConclusion = counts.contains { $0.key != .skipped }
    if self[.error] > 0 || wasInterrupted || !hasConclusion { return .unjudged }
    if self[.stale] > 0 { return .staleBaseline }
    return .conformant
  }
}

extension Tally: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (Disposition, Int)...) {
    for (disposition, count) in elements { add(disposition, times: count) }
  }
}
