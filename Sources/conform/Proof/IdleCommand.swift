import AdapterHost
import ArgumentParser
import CommandInterface
import FoundationEssentials
import JSONKit
import Proof
import TextKit

/// `conform idle`: runs an ``IdleSDK`` for a proof. An environment variable contains the description of the SDK. If the
/// description were in a file, a proof would have to write and remove this file for each of many starts.
struct IdleCommand: ParsableCommand {
  static let variable = "CONFORM_IDLE"

  static let configuration = CommandConfiguration(
    commandName: "idle", abstract: "Plays an SDK that does nothing, for 'conform prove'.", shouldDisplay: false)

  func run() throws {
    guard let text = ProcessInfo.processInfo.environment[Self.variable] else {
      throw BadInput("'conform idle' is for 'conform prove', which sets \(Self.variable): do not start it by hand")
    }
    let sdk: IdleSDK
    do {
      sdk = try IdleSDK(JSONField(JSON(parsing: Array(text.utf8))))
    } catch {
      throw BadInput("\(Self.variable) does not describe a no-op SDK: \(error)")
    }
    AdapterHost.run(sdk.hello, knownCommands: sdk.knownCommands) { launch, surroundings in
      let app = IdleApp(sdk, surroundings)
      app.takeNote(of: .object(launch.environment))
      return app
    }
  }
}
