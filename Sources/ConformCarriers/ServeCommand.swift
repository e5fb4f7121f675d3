import Adapters
import ArgumentParser
import Carriers
import Glibc
import Processes
import TextKit

/// `conform-carriers serve`: connects relays with an adapter until its stdin ends, and writes its reports as lines to
/// stdout.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Reaches the adapter at an address, and serves relays until stdin ends.")

  @Argument(help: "The address of the adapter: http://… or ws://.")
  var address: String

  @Option(help: "The address to listen at for WebSockets.")
  var listenOn = "127.0.0.1"

  @Option(help: "The command that starts the app again.")
  var relaunch: String?

  @Option(help: "The number of adapters that may be connected at once.")
  var limit = 1

  func run() async throws {
    ForkServer.prepare()
    let isAbandoned = Promise<Void>()
    guard OwnThread.run({ Self.awaitEndOfInput(isAbandoned) }) else { throw ExitCode.failure }
    do {
      let options = CarrierService.Options(
        host: listenOn, relaunch: try relaunch.map { try ProgramCommand(shellLike: $0) }, limit: limit)
      let service = try await CarrierService.open(AdapterAddress(address), options) { Self.report($0) }
      try await Self.serve(service, until: isAbandoned)
      await service.close()
    } catch {
      Self.report(.failure("\(error)"))
      throw ExitCode.failure
    }
  }

  private static func serve(_ service: CarrierService, until isAbandoned: Promise<Void>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await service.arrival()
        report(.ready(place: service.place))
        try await isAbandoned.value()
      }
      group.addTask { try await isAbandoned.value() }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Blocks until stdin ends, because the kit has closed the pipe or has died.
  private static func awaitEndOfInput(_ isAbandoned: Promise<Void>) {
    var piece = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return isAbandoned.keep(()) }
    }
  }

  /// Writes a report as one line, without a buffer.
  private static func report(_ report: CarrierReport) {
    let line = Array((report.line.visibleOnOneLine + "\n").utf8)
    _ = write(STDOUT_FILENO, line, line.count)
  }
}
