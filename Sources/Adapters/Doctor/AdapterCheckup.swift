import AdapterProtocol
import ConformanceModel
import FoundationEssentials
import Processes
import Templates

/// Checks an adapter, not its SDK. It performs the checks that need only the commands that every adapter supports.
/// Source: `spec/kit/adapter-protocol.md`.
package struct AdapterCheckup: Sendable {
  let command: ProgramCommand
  let definition: ProtocolDefinition
  let kit: String
  /// How long a reply may take.
  let limit: Duration
  /// Whether the kit talks to the adapter through a carrier. Then the carrier, and not the adapter, writes the messages
  /// as lines.
  let isCarried: Bool

  package init(
    _ command: ProgramCommand, _ definition: ProtocolDefinition, kit: String, limit: Duration, isCarried: Bool = false
  ) {
    self.command = command
    self.definition = definition
    self.kit = kit
    self.limit = limit
    self.isCarried = isCarried
  }

  /// Performs every check. Returns the adapter's answer to `hello`; nil if that answer could not be read.
  ///
  /// - Parameter report: receives each finding as soon as it is known.
  /// - Throws: ``ProgramFailure`` if the program cannot be started, or CancellationError.
  package func run(report: (AdapterCheck, AdapterFinding) -> Void) async throws -> AdapterHello? {
    let (hello, first) = try await meet()
    guard let hello else {
      report(first.check, first.finding)
      for check in AdapterCheck.allCases where check != first.check { report(check, .notReached) }
      return nil
    }
    report(.handshake, first.finding)
    for check in AdapterCheck.allCases.dropFirst() {
      try Task.checkCancellation()
      report(check, try await finding(of: check, hello))
    }
    return hello
  }

  /// Starts the adapter and reads its `hello`. If that fails, returns the check that failed and the finding.
  private func meet() async throws -> (AdapterHello?, (check: AdapterCheck, finding: AdapterFinding)) {
    let adapter = try await CheckedAdapter.start(command, limit: limit)
    do {
      let hello = try await adapter.session.hello(kit: kit, protocolName: definition.name)
      await adapter.session.kill()
      try hello.checkNames(of: definition) { Set(hello.declares.members.map(\.key)) }
      return (hello, (.handshake, .passed("the adapter answers 'hello' for \(hello.name) \(hello.version)")))
    } catch let failure as ProgramFailure {
      await adapter.session.kill()
      return (nil, try await diagnosis(of: failure))
    }
  }

  /// Finds the check that an adapter fails whose `hello` failed. If the reply comes only after the end of stdin, the
  /// adapter did not flush it, so it fails the check `flushing`.
  private func diagnosis(
    of failure: ProgramFailure
  ) async throws -> (check: AdapterCheck, finding: AdapterFinding) {
    let greeting = [AdapterRequest.hello(kit: kit, protocolName: definition.name)]
    switch failure.kind {
    case .broke:
      let ending = try await converse(greeting, lineEnd: "\n")
      guard ending.output != lines(greeting, lineEnd: "\n") else {
        let text = "the program writes back what it reads, as 'cat' does; expected a reply to 'hello'"
        return (.handshake, .failed(text))
      }
      return (.framing, .failed(failure.text))
    case .hung:
      let ending = try await converse(greeting, lineEnd: "\n")
      return (ending.output.isEmpty ? .handshake : .flushing, .failed(failure.text))
    case .command, .start, .machine: throw failure
    case .died: return (.handshake, .ended(failure.text))
    case .handshake, .ended: return (.handshake, .failed(failure.text))
    }
  }

  private func finding(of check: AdapterCheck, _ hello: AdapterHello) async throws -> AdapterFinding {
    do {
      return switch check {
      case .handshake, .flushing: .passed("replies arrive while stdin stays open")
      case .framing: try await framing(hello)
      case .lineEnds: try await lineEnds()
      case .unknownCommand: try await unknownCommand(hello)
      case .replies: try await replies(hello)
      case .concurrency: try await concurrency(hello)
      case .restart: try await restart(hello)
      case .storage: try await storage(hello)
      case .clock: try await clock(hello)
      case .quit: try await quit(hello)
      case .exit: try await exit(hello)
      case .speed: try await speed(hello)
      }
    } catch let failure as ProgramFailure {
      if failure.kind == .machine { throw failure }
      return .failed(failure.text)
    }
  }

  /// Starts a process of the adapter, calls `body` with it, and ends the process even after an error.
  func withAdapter<Value: Sendable>(_ body: (CheckedAdapter) async throws -> Value) async throws -> Value {
    let adapter = try await CheckedAdapter.start(command, limit: limit)
    do {
      _ = try await adapter.session.hello(kit: kit, protocolName: definition.name)
      let value = try await body(adapter)
      await adapter.session.kill()
      return value
    } catch {
      await adapter.session.kill()
      throw error
    }
  }

  /// Launches an app with a fresh storage folder in a new process of the adapter, and calls `body` with the process.
  func withApp<Value: Sendable>(
    _ hello: AdapterHello, _ body: (CheckedAdapter) async throws -> Value
  ) async throws -> Value {
    try await withFolder { folder in
      try await withAdapter { adapter in
        try await adapter.perform(launch(hello, folder))
        return try await body(adapter)
      }
    }
  }

  /// Calls `body` with a new storage folder, and removes the folder afterwards.
  func withFolder<Value: Sendable>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = try StorageFolder()
    defer { folder.remove() }
    return try await body(folder.path)
  }

  /// The command that starts an app, with the cheapest clock that the adapter offers.
  func launch(_ hello: AdapterHello, _ folder: String) -> AdapterRequest {
    let clock = ClockMode.allCases.first { hello.clocks.contains($0) } ?? .real
    let dialects = hello.dialects ?? []
    return .launch(
      AdapterLaunch(
        storage: folder, clock: clock, epoch: Self.epoch, scale: clock == .scaled ? 10 : 1, seed: 1,
        dialect: dialects.count > 1 ? dialects.first : nil))
  }

  /// 2026-01-01 in milliseconds.
  private static let epoch = 1_767_225_600_000

  /// Writes the commands in one piece, closes stdin, and waits for the end of the process.
  func converse(_ requests: [AdapterRequest], lineEnd: String) async throws(ProgramFailure) -> ProgramRun.Ending {
    try await ProgramRun.run(command, in: ".", input: lines(requests, lineEnd: lineEnd), limit: limit)
  }

  private func lines(_ requests: [AdapterRequest], lineEnd: String) -> [UInt8] {
    requests.enumerated().flatMap { index, request in
      RPCMessage.request(id: index + 1, method: request.method, params: .object(request.params)).line.dropLast()
        + Array(lineEnd.utf8)
    }
  }
}
