import NIOCore
import NIOPosix
import Synchronization

/// Shares the event loops out among the cases that are played at the same time.
final class CaseLoops: Sendable {
  static let shared = CaseLoops(Array(MultiThreadedEventLoopGroup.singleton.makeIterator()))

  private let loops: [any EventLoop]
  /// How many cases are played on each.
  private let cases: Mutex<[Int]>

  /// There is one at least.
  init(_ loops: [any EventLoop]) {
    self.loops = loops
    cases = Mutex(loops.map { _ in 0 })
  }

  /// The one that is lent when no case is played.
  var first: any EventLoop { loops[0] }

  /// Lends the loop on which the fewest cases are played.
  func lend<Value>(_ body: (any EventLoop) async -> Value) async -> Value {
    let index = cases.withLock { cases in
      let index = cases.indices.min { cases[$0] < cases[$1] } ?? 0
      cases[index] += 1
      return index
    }
    defer { cases.withLock { $0[index] -= 1 } }
    return await body(loops[index])
  }
}
