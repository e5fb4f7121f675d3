/// The number of verdicts by disposition.
package struct Tally: Hashable, Sendable {
  /// The number of verdicts with each disposition. A disposition without verdicts is left out.
  package private(set) var counts: [Disposition: Int] = [:]

  package init() {}

  package init(_ dispositions: some Sequence<Disposition>) {
    for disposition in dispositions { add(disposition) }
  }

  package subscript(disposition: Disposition) -> Int { counts[disposition] ?? 0 }

  /// The number of verdicts with one of these dispositions.
  package subscript(dispositions: Set<Disposition>) -> Int { dispositions.reduce(0) { $0 + self[$1] } }

  package mutating func add(_ disposition: Disposition, times: Int = 1) {
    if times > 0 { counts[disposition, default: 0] += times }
  }
}

extension Tally: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (Disposition, Int)...) {
    for (disposition, count) in elements { add(disposition, times: count) }
  }
}
