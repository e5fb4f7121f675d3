import AdapterProtocol
import ConformanceModel
import ConformanceTranscript
import Processes

/// Finds the commands of the tested protocol that the author of an adapter has not written yet.
extension AdapterCheckup {
  /// The commands that the adapter refuses as unsupported although it must have them, in the order of the protocol. An
  /// adapter must have a command if it declares the first capability in the command's list.
  ///
  /// Each command is sent without parameters, so that the SDK does as little as possible. Only the error `unsupported`
  /// counts. If the adapter ends or hangs because of a command, the command counts as written.
  ///
  /// - Throws: CancellationError.
  package func unwrittenCommands(_ hello: AdapterHello) async throws -> [String] {
    var left = commands(of: hello)[...]
    var unwritten: [String] = []
    for _ in 0..<Self.mostApps where !left.isEmpty {
      try Task.checkCancellation()
      do {
        try await withApp(hello) { adapter in
          while let command = left.popFirst() {
            if try await isUnsupported(command, by: adapter) { unwritten.append(command) }
          }
        }
      } catch is ProgramFailure { continue }
    }
    return unwritten
  }

  /// The check launches at most this number of apps. If a command ends the app, the check continues with a new app.
  private static let mostApps = 4

  private func commands(of hello: AdapterHello) -> [String] {
    let roles = definition.drivenRoles
    return definition.commands.filter { command in
      command.roles.contains(where: roles.contains) && BaseCommand(rawValue: command.name) == nil
        && command.capabilities.prefix(1).allSatisfy(hello.capabilities.contains)
    }.map(\.name)
  }

  private func isUnsupported(_ command: String, by adapter: CheckedAdapter) async throws -> Bool {
    guard case .error(let error) = try await adapter.session.call(AdapterRequest(command)) else { return false }
    return error.kind == CommandError.unsupported
  }
}
