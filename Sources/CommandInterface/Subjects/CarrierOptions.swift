import Adapters
import ArgumentParser
import Processes
import Recording
import TextKit

/// The options about an adapter that the kit does not start.
package struct CarrierOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      """
      With --sdk ws://: the command that starts the app, and starts it again if no adapter connects. The variable \
      CONFORM_ADAPTER_URL of the command contains the address of the kit. Without this option, the kit kills the app \
      only if the adapter declares the ability 'kill'.
      """, valueName: "command"))
  var relaunch: String?

  @Option(
    help: ArgumentHelp(
      "With --sdk ws://: the address at which the kit listens, for a device in the network. The default is 127.0.0.1.",
      valueName: "address"))
  var listenOn: String?

  @Flag(help: "With --sdk ws://: show the address as a QR code, too. This option needs the program qrencode.")
  var qr = false

  /// Throws if an option does not fit the value of `--sdk`.
  package func validate(for sdk: String?) throws {
    guard let sdk else {
      guard relaunch == nil, listenOn == nil, !qr else {
        throw BadInput("--relaunch, --listen-on and --qr are about an adapter that connects: name it with --sdk ws://")
      }
      return
    }
    // A text that cannot be read as an address is reported when the adapter is started.
    guard (try? AdapterAddress(sdk))?.isWebSocket != true else { return }
    if relaunch != nil { throw BadInput("--relaunch starts an adapter that connects: give --sdk ws://") }
    if qr { throw BadInput("--qr shows the address for --sdk ws://") }
    if listenOn != nil { throw BadInput("--listen-on is the address for --sdk ws://") }
  }

  /// The command with which the kit starts the adapter, or starts the relay if the adapter runs elsewhere.
  ///
  /// - Parameter limit: the number of adapters that may be connected at once.
  package func command(of sdk: String, limit: Int) async throws -> ProgramCommand {
    // A command of --relaunch that cannot be split into words is reported here, like such a command of --sdk.
    if let relaunch { _ = try ProgramCommand(shellLike: relaunch) }
    var options = ["--limit", "\(limit)"]
    if let listenOn { options += ["--listen-on", listenOn] }
    if let relaunch { options += ["--relaunch", relaunch] }
    return try await AdapterAddress.command(of: sdk, options, drawsCode: qr)
  }

  /// The options in the form of a command line.
  package var words: [String] {
    var words = Words()
    words.add("--relaunch", relaunch.map { CommandSecrets($0).shown })
    words.add("--listen-on", listenOn)
    return words.list
  }
}
