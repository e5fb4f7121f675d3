import NIOCore
import NIOPosix
import Synchronization

/// Distributes the cases that run at the same time among the event loops.
package final class CaseLoops: Sendable {
  package static let shared = CaseLoops(Array(MultiThreadedEventLoopGroup.singleton.makeIterator()))

  private let loops: [any EventLoop]
  /// The number of cases that run on each loop.
  private let cases: Mutex<[Int]>

  /// `loops` must contain at least one loop.
  init(_ loops: [any EventLoop]) {
    self.loops = loops
    cases = Mutex(loops.map { _ in 0 })
  }

  /// The loop for work that belongs to no case.
  package var first: any EventLoop { loops[0] }

  /// Calls the closure with the loop on which the fewest cases run.
  package func withLeastBusy<Value>(_ body: (any EventLoop) async -> Value) async -> Value {
    let index = cases.withLock { cases in
      let index = cases.indices.min { cases[$0] < cases[$1] } ?? 0
      cases[index] += 1
      return index
    }
    defer { cases.withLock { $0[index] -= 1 } }
    return await body(loops[index])
  }
}
