import AdapterHost
import AdapterProtocol
import ConformanceTranscript
import JSONKit
import MobileEngage
import ReferenceKit

/// An app with the reference SDK in it.
final class MobileEngageApp: HostedApp {
  private let sdk: ReferenceSDK<EngageCore>

  /// The environment of the launch may contain properties of the device, and whether the app is in the foreground.
  init(_ launch: AdapterLaunch, _ surroundings: any AppSurroundings, switches: Switches<EngageSwitch>) throws {
    var device = DeviceProperties()
    try device.take(JSONField(.object(launch.environment)))
    let isForeground = try JSONField(.object(launch.environment)).optional("foreground")?.bool() ?? true
    sdk = ReferenceSDK(
      EngageCore(
        device: device, events: launch.dialect == "events-v4" ? .v4 : .v3, isForeground: isForeground,
        seed: UInt64.random(in: 0 ... .max), switches: switches),
      in: surroundings, storage: FolderStorage(path: launch.storage),
      onLog: { ErrorStream.write("mobile-engage: \($0)\n") })
    try surround(launch.environment)
  }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    do throws(JSONField.Problem) {
      guard let name = CommandName.written(command) else {
        return reply(.failure(CommandError(kind: CommandError.unsupported)))
      }
      sdk.perform(try name.call(JSONField(params))) { result in
        reply(result.mapError { CommandError(kind: $0.kind.rawValue, status: $0.status, message: $0.message) })
      }
    } catch {
      reply(.failure(CommandError(kind: "rejected", message: "\(error)")))
    }
  }

  /// Changes the surroundings. `namesResolve` is unsupported: the system resolves host names, and an app cannot prevent
  /// this.
  func surround(_ facts: JSON.Object) throws {
    if facts["namesResolve"] != nil {
      throw CommandError(kind: CommandError.unsupported, message: "names of hosts are always found")
    }
    sdk.perform(.surround(facts)) { _ in }
  }

  func quit() { sdk.close() }
}
