/// A client of a bare server that is a process of its own, as subjects are: this program, started again.
struct ClientProcess {
  /// The first argument of the process.
  static let argument = "--client"

  let port: Int
  let requests: Int
  /// How many requests a connection carries before the next one takes its place.
  let onConnection: Int

  /// Starts the process, which ends with 0 when it has all its answers.
  func start() throws -> Child {
    try Child(try Conform.benchmarks(), [Self.argument] + [port, requests, onConnection].map(String.init))
  }
}

extension ClientProcess {
  /// What the arguments of the process say; nil where it is none of these.
  init?(_ arguments: ArraySlice<String>) {
    let numbers = arguments.dropFirst().compactMap(Int.init)
    guard arguments.first == Self.argument, arguments.count == 4, numbers.count == 3 else { return nil }
    self.init(port: numbers[0], requests: numbers[1], onConnection: numbers[2])
  }
}
