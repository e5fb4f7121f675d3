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

  /// The command with which the kit starts the adapter, or starts the relay if the adapter runs elsewhere. Nil without
  /// `--sdk`.
  func adapterCommand() async throws -> ProgramCommand? {
    guard let sdk else { return nil }
    return try await carrier.command(of: sdk, limit: jobs ?? 1)
  }

  /// The abilities that the kit assumes if the adapter's reply to `hello` does not list any abilities.
  var hostAbilities: Set<HostAbility> {
    startsAdapter || sdk == nil ? Set(HostAbility.allCases) : carrier.relaunch == nil ? [] : [.kill]
  }
}

extension AdapterAddress {
  /// The command for a value of `--sdk`. With it, the kit starts the adapter, or starts the relay if the adapter runs
  /// elsewhere.
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
