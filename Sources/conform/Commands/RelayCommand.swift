import ArgumentParser
import Carriers
import FoundationEssentials
import Glibc
import TextKit

/// `conform relay`: the program that the kit starts in place of an adapter that runs elsewhere.
struct RelayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay", abstract: "Carries messages to an adapter that runs elsewhere.", shouldDisplay: false)

  func run() throws {
    guard let place = ProcessInfo.processInfo.environment[Relay.variable] else {
      throw BadInput(
        "'conform relay' is started by 'conform run', which sets \(Relay.variable): do not start it by hand")
    }
    let code = Relay.run(place)
    // Nothing but the adapter's messages may be printed.
    if code != 0 { Glibc.exit(code) }
  }
}
