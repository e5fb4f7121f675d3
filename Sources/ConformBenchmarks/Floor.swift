import AdapterProtocol
import Dispatch
import Glibc
import Synchronization

/// The lower bound for the cost of a run on this machine. It measures only the work that the run cannot avoid:
/// exchanges over connections, lines through pipes, and starts of the adapter. Each kind of work is measured alone, on
/// all cores.
struct Floor {
  /// The cost of one kind of work, in seconds.
  struct Cost {
    var wall = 0.0
    /// The processor time, summed over all processors.
    var processor = 0.0

    static func + (left: Self, right: Self) -> Self {
      Cost(wall: left.wall + right.wall, processor: left.processor + right.processor)
    }
  }

  let exchanges: Cost
  let lines: Cost
  let starts: Cost

  var whole: Cost { exchanges + lines + starts }

  init(of work: SuiteWork) async throws {
    let adapter = try Conform.adapter()
    let storage = try ScratchFolder()
    starts = try Self.onAllCores(work.starts) { [path = storage.path] count in
      for _ in 0..<count { try Self.startAndEnd(adapter, storage: path) }
    }
    lines = try Self.onAllCores(work.lines) { count in
      guard count > 0 else { return }
      let echo = try EchoProcess("cat")
      defer { echo.stop() }
      for _ in 0..<count { try echo.roundTrip() }
    }
    exchanges = try await Self.exchanges(work)
  }

  private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The cost of the HTTP exchanges. Requests of subjects are sent between processes. The number of client processes is
  /// the number of cases that the suite runs at once. Requests to an embedded server are sent inside one process.
  private static func exchanges(_ work: SuiteWork) async throws -> Cost {
    let before = Child.processorOfAll()
    var cost = Cost()
    cost.wall += try await MockThroughput.bareSpan(of: work.received, processes: work.atOnce, loops: cores)
    cost.wall += try await MockThroughput.bareSpan(of: work.sent, loops: cores)
    cost.processor = Child.processorOfAll() - before
    return cost
  }

  /// Starts an adapter, launches its app, and ends the adapter.
  private static func startAndEnd(_ adapter: String, storage: String) throws {
    let process = try EchoProcess(adapter)
    defer { process.stop() }
    let launch = AdapterLaunch(storage: storage, clock: .virtual, epoch: 0)
    for request in [AdapterRequest.hello(kit: "conform", protocolName: ""), .launch(launch)] {
      let message = RPCMessage.request(id: 1, method: request.method, params: .object(request.params))
      try process.awaitAnswer(to: message.line)
    }
  }

  /// The cost of some work that is done `count` times, with an equal share on each core. `body` does the work as often
  /// as its argument says.
  private static func onAllCores(_ count: Int, _ body: @Sendable (Int) throws -> Void) throws -> Cost {
    let failure = Mutex<(any Error)?>(nil)
    let before = Child.processorOfAll()
    let duration = ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: cores) { core in
        do { try body(count / cores + (core < count % cores ? 1 : 0)) } catch { failure.withLock { $0 = error } }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return Cost(wall: duration.seconds, processor: Child.processorOfAll() - before)
  }
}
