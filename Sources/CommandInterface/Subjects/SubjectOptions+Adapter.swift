import Adapters
import ConformanceBench
import ConformanceModel
import Processes
import TextKit

extension SubjectOptions {
  /// The address of the adapter; nil without `--sdk`.
  private var adapter: AdapterAddress? { get throws { try sdk.map { try AdapterAddress($0) } } }

  /// Whether the kit starts the adapter, and therefore sets its time zone and language.
  package var startsAdapter: Bool { (try? adapter)?.isCarried == false }

  /// The command for the adapter's processes: the command of the adapter itself, or of the relay to an adapter that
  /// runs elsewhere.
  func adapterCommand() async throws -> ProgramCommand? {
    guard let sdk else { return nil }
    // A command of --relaunch that cannot be split into words is reported here, like such a command of --sdk.
    if let relaunch { _ = try ProgramCommand(shellLike: relaunch) }
    var options = ["--limit", "\(jobs ?? 1)"]
    if let listenOn { options += ["--listen-on", listenOn] }
    if let relaunch { options += ["--relaunch", relaunch] }
    return try await AdapterAddress.command(of: sdk, options, drawsCode: qr)
  }

  /// The abilities that apply if the adapter's `hello` lists none.
  var hostAbilities: Set<HostAbility> {
    startsAdapter || sdk == nil ? Set(HostAbility.allCases) : relaunch == nil ? [] : [.kill]
  }

  func validateCarrier() throws {
    guard let sdk else {
      guard relaunch == nil, listenOn == nil, !qr else {
        throw BadInput("--relaunch, --listen-on and --qr are about an adapter that connects: name it with --sdk ws://")
      }
      return
    }
    let isWebSocket = sdk.hasPrefix("ws://")
    if !isWebSocket, relaunch != nil { throw BadInput("--relaunch starts an adapter that connects: give --sdk ws://") }
    if !isWebSocket, qr { throw BadInput("--qr shows the address for --sdk ws://") }
    if !isWebSocket, listenOn != nil { throw BadInput("--listen-on is the address for --sdk ws://") }
  }
}

extension AdapterAddress {
  /// The command for the adapter's processes from a value of `--sdk`: the command of the adapter itself, or of a relay.
  ///
  /// - Parameters:
  ///   - options: the options for ``CarrierProgram``.
  ///   - drawsCode: whether the URL for an adapter that connects is also shown as a QR code.
  package static func command(
    of sdk: String, _ options: [String] = [], drawsCode: Bool = false
  ) async throws -> ProgramCommand {
    let address = try AdapterAddress(sdk)
    if case .program(let command) = address { return command }
    return try await CarrierProgram.shared.relay(to: address, at: sdk, options, drawsCode: drawsCode)
  }
}
