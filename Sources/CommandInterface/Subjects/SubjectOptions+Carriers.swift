import Carriers
import ConformanceBench
import ConformanceData
import ConformanceModel
import Processes
import TextKit

extension SubjectOptions {
  /// The way to reach the adapter; nil without one.
  var carrier: CarrierAddress? { get throws { try sdk.map { try CarrierAddress($0) } } }

  /// Whether the kit starts the adapter, and so decides its time zone and language.
  package var startsAdapter: Bool { (try? carrier)?.isCarried == false }

  /// The command for the processes of the adapter: its own, or that of the relay to one that runs elsewhere.
  func adapterCommand() async throws -> ProgramCommand? {
    guard let carrier = try carrier else { return nil }
    return try await carrier.command(
      Carriers.Options(
        host: listenOn ?? "127.0.0.1", relaunch: try relaunch.map { try ProgramCommand(shellLike: $0) },
        limit: jobs ?? 1))
  }

  /// The abilities of the place of an adapter that does not list them.
  var hostAbilities: Set<HostAbility> {
    startsAdapter || sdk == nil ? Set(HostAbility.allCases) : relaunch == nil ? [] : [.kill]
  }

  func validateCarrier() throws {
    guard let sdk else {
      guard relaunch == nil, listenOn == nil else {
        throw BadInput("--relaunch and --listen-on are about an adapter that connects: name it with --sdk ws://")
      }
      return
    }
    let isWebSocket = sdk.hasPrefix("ws://")
    if !isWebSocket, relaunch != nil { throw BadInput("--relaunch starts an adapter that connects: give --sdk ws://") }
    if !isWebSocket, listenOn != nil { throw BadInput("--listen-on is the address for --sdk ws://") }
  }
}

extension CarrierAddress {
  /// The command for the processes of an adapter at this address.
  package func command(_ options: Carriers.Options = .init()) async throws -> ProgramCommand {
    let relay = ProgramCommand(executable: ConformanceData.folderOfProgram + "/conform", arguments: ["relay"])
    return try await Carriers.shared.command(for: self, options, relay: relay) {
      Terminal.error(.lines("conform: \($0)\n"))
    }
  }
}
