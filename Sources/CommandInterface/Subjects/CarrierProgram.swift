import Adapters
import ConformanceModel
import Processes
import TextKit

/// The program that carries messages to adapters elsewhere. It runs once for each address, until ``end()``.
actor CarrierProgram {
  static let shared = CarrierProgram()
  private static let name = "conform-carriers"
  private static let remedy = "in a checkout 'bin/conform' builds it for an adapter elsewhere, and packages contain it"

  private var relays: [AdapterAddress: ProgramCommand] = [:]
  private var running: [ReportingProgram] = []

  /// The command of the relay that takes the place of the adapter's process. It waits until an adapter is connected.
  ///
  /// - Parameter options: the words of the command line about adapters that connect.
  func relay(to address: AdapterAddress, at text: String, _ options: [String]) async throws -> ProgramCommand {
    if let relay = relays[address] { return relay }
    let path = try SiblingProgram(name: Self.name, remedy: Self.remedy).path
    let program = try ReportingProgram(
      ProgramCommand(executable: path, arguments: ["serve"] + options + ["--", text]))
    running.append(program)
    let relay = ProgramCommand(
      executable: path, arguments: ["relay"],
      environment: [CarrierReport.placeVariable: try await Self.place(of: program)])
    relays[address] = relay
    Task { for await line in program.lines { Self.tell(CarrierReport(line)) } }
    return relay
  }

  /// Ends the programs: adapters that wait, and apps that were started.
  func end() async {
    for program in running { await program.end() }
    (running, relays) = ([], [:])
  }

  /// Waits until an adapter is connected. Returns where relays are admitted.
  private static func place(of program: ReportingProgram) async throws -> String {
    for await line in program.lines {
      switch CarrierReport(line) {
      case .ready(let place): return place
      case .failure(let reason): throw ProgramFailure(.start, reason)
      case let other: tell(other)
      }
    }
    try Task.checkCancellation()
    throw ProgramFailure(.start, "the program '\(name)' has ended. Its stderr ends: \(await program.end())")
  }

  private static func tell(_ report: CarrierReport?) {
    if case .note(let text) = report { Terminal.error(.lines("conform: \(text)\n")) }
  }
}
