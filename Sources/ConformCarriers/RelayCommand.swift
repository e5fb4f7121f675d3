import Adapters
import ArgumentParser
import Carriers
import FoundationEssentials

/// `conform-carriers relay`: the kit starts this command in place of an adapter that runs elsewhere.
struct RelayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Carries the messages of one process to the adapter.")

  func run() throws {
    guard let place = ProcessInfo.processInfo.environment[CarrierReport.placeVariable] else {
      throw ValidationError("the kit starts a relay, and sets \(CarrierReport.placeVariable): do not start it by hand")
    }
    let code = Relay.run(place)
    // This program may print nothing but the adapter's messages, so the failure has no text.
    if code != 0 { throw ExitCode(code) }
  }
}
