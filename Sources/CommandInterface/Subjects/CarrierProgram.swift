import Adapters
import ConformanceModel
import Processes
import TextKit

/// The program that carries messages to adapters which the kit does not start. It runs as one process for each address
/// of an adapter, until ``end()``.
actor CarrierProgram {
  static let shared = CarrierProgram()
  private static let name = "conform-carriers"
  private static let remedy = "in a checkout 'bin/conform' builds it for an adapter elsewhere, and packages contain it"

  private var relays: [AdapterAddress: ProgramCommand] = [:]
  private var running: [ReportingProgram] = []

  /// The command of the relay, which the kit starts in place of the adapter. The function waits until an adapter is
  /// connected.
  ///
  /// - Parameters:
  /// - options: the options of `conform-carriers serve`.
  ///   - drawsCode: whether the URL for the adapter is also shown as a QR code.
  func relay(
    to address: AdapterAddress, at text: String, _ options: [String], drawsCode: Bool
  ) async throws -> ProgramCommand {
    if let relay = relays[address] { return relay }
    let path = try SiblingProgram(name: Self.name, remedy: Self.remedy).path
    let program = try ReportingProgram(
      ProgramCommand(executable: path, arguments: ["serve"] + options + ["--", text]))
    running.append(program)
    let relay = ProgramCommand(
      executable: path, arguments: ["relay"],
      environment: [CarrierReport.placeVariable: try await Self.place(of: program, drawsCode)])
    relays[address] = relay
    Task { for await line in program.lines { await Self.tell(CarrierReport(line), drawsCode) } }
    return relay
  }

  /// Ends all processes of the program. They close the connections of adapters that wait for a relay, and end the apps
  /// that they have started.
  func end() async {
    for program in running { await program.end() }
    (running, relays) = ([], [:])
  }

  /// Waits until an adapter is connected. Returns the place to which relays connect.
  private static func place(of program: ReportingProgram, _ drawsCode: Bool) async throws -> String {
    for await line in program.lines {
      switch CarrierReport(line) {
      case .ready(let place): return place
      case .failure(let reason): throw ProgramFailure(.start, reason)
      case let other: await tell(other, drawsCode)
      }
    }
    try Task.checkCancellation()
    throw ProgramFailure(.start, "the program '\(name)' has ended. Its stderr ends: \(await program.end())")
  }

  private static func tell(_ report: CarrierReport?, _ drawsCode: Bool) async {
    switch report {
    case .note(let text): Terminal.error(.lines("conform: \(text)\n"))
    case .failure(let reason):
      // The cases that are left would wait for an adapter, too. The run ends as after Ctrl-C, with a partial report.
      Terminal.error(.lines("conform: \(reason)\n"))
      Interruption.request()
    case .waiting(let url):
      Terminal.error(.lines("conform: waiting for an adapter at \(url)\n"))
      if drawsCode { Terminal.error(.lines(await code(of: url))) }
    default: break
    }
  }

  /// A text as a QR code, which the program `qrencode` draws.
  private static func code(of text: String) async -> String {
    let command = ProgramCommand(executable: "qrencode", arguments: ["-t", "UTF8", "-o", "-", text])
    let ending = try? await ProgramRun.run(command, in: ".", input: [], limit: .seconds(10))
    guard let ending, case .exited(.exited(code: 0)) = ending.cause else {
      return "conform: --qr needs the program 'qrencode': install it, such as by 'sudo apt-get install qrencode'\n"
    }
    return String(decoding: ending.output, as: UTF8.self)
  }
}
