/// A client of a ``BareServer``. It runs in a process of its own, because in a run the subjects are also separate
/// processes.
struct ClientProcess {
  /// The first argument of this program if it is started as a client.
  static let argument = "--client"

  let port: Int
  let requests: Int
  /// The number of requests after which the client opens a new connection.
  let onConnection: Int

  /// Starts the process. It exits with 0 once all requests are answered.
  func start() throws -> Child {
    try Child(try Conform.benchmarks(), [Self.argument] + [port, requests, onConnection].map(String.init))
  }
}

extension ClientProcess {
  /// Parses the arguments of this program; nil if this program was not started as a client.
  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.dropFirst().compactMap(Int.init)
    guard arguments.first == Self.argument, arguments.count == 4, numbers.count == 3 else { return nil }
    self.init(port: numbers[0], requests: numbers[1], onConnection: numbers[2])
  }
}
