import Processes
import Synchronization

/// Starts the app of an adapter again with a command of the user. Before it runs the command again, it ends the process
/// of the last run with all its children.
final class Relauncher: Sendable {
  private let command: ProgramCommand
  /// Called with the reason if the command fails.
  private let failed: @Sendable (String) -> Void
  private let running = Mutex<Task<Void, Never>?>(nil)

  /// - Parameter address: the address to which the adapter opens its WebSocket.
  init(_ command: ProgramCommand, address: String, failed: @escaping @Sendable (String) -> Void) {
    var command = command
    command.environment[CarrierService.addressVariable] = address
    self.command = command
    self.failed = failed
  }

  /// Ends the command with all its children.
  func end() async {
    let last = running.withLock { running in
      running?.cancel()
      return running
    }
    await last?.value
  }

  func launch() {
    running.withLock { running in
      let last = running
      last?.cancel()
      running = Task {
        await last?.value
        await run()
      }
    }
  }

  /// Runs the command until it ends or is cancelled. If the command ends with exit code 0, this is not a failure, since
  /// it may have started the app on a device.
  private func run() async {
    guard !Task.isCancelled else { return }
    do {
      let ending = try await ProgramRun.run(command, in: ".", input: [], limit: .seconds(86400))
      // SIGKILL is not a failure, because it is the signal with which the kit itself ends a process.
      if case .exited(let exit) = ending.cause, ![.exited(code: 0), .signalled(9)].contains(exit) {
        failed("'\(command.executable)' \(exit). Its stderr ends: \(ending.errors)")
      }
    } catch { failed("'\(command.executable)' does not start: \(error)") }
  }
}
