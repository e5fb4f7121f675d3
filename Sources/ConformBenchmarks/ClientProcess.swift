/// A client of a bare server in a process of its own, as subjects are: another process of this program.
struct ClientProcess {
  /// The first argument of the process.
  static let argument = "--client"

  let port: Int
  let requests: Int
  /// The number of requests on a connection before a new one replaces it.
  let onConnection: Int

  /// Starts the process. It exits with 0 when it has all its answers.
  func start() throws -> Child {
    try Child(try Conform.benchmarks(), [Self.argument] + [port, requests, onConnection].map(String.init))
  }
}

extension ClientProcess {
  /// Parses the arguments of the process; nil if they are not those of a client.
  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.dropFirst().compactMap(Int.init)
    guard arguments.first == Self.argument, arguments.count == 4, numbers.count == 3 else { return nil }
    self.init(port: numbers[0], requests: numbers[1], onConnection: numbers[2])
  }
}
