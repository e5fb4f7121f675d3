import AdapterHost
import AdapterProtocol
import ConformanceTranscript
import JSONKit
import LinkForty
import ReferenceKit

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An app with the reference SDK in it.
final class LinkFortyApp: HostedApp {
  private let sdk: LinkFortySDK
  private let storage: FolderStorage

  /// The launch's environment may contain facts about the device (``LinkForty/DeviceFacts/take(_:)``) and the URL that
  /// started the app.
  init(_ launch: AdapterLaunch, _ surroundings: any AppSurroundings, switches: Switches<SDKSwitch>) throws {
    var device = DeviceFacts()
    try device.take(JSONField(.object(launch.environment)))
    storage = FolderStorage(path: launch.storage)
    sdk = LinkFortySDK(
      SDKCore(device: device, initialURL: launch.environment["initialUrl"]?.string, switches: switches),
      in: surroundings, storage: storage, onLog: { ErrorStream.write("linkforty: \($0)\n") }, onCrash: { abort() })
  }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    do {
      guard let name = CommandName.written(command) else { throw CommandError(kind: "unsupported") }
      if let call = try name.call(JSONField(params)) {
        sdk.perform(call) { result in
          reply(result.mapError { CommandError(kind: $0.kind.rawValue, status: $0.status, message: $0.message) })
        }
      } else {
        try arrange(name, JSONField(params))
        reply(.success(.null))
      }
    } catch let error as CommandError {
      reply(.failure(error))
    } catch {
      reply(.failure(CommandError(kind: "generic", message: "\(error)")))
    }
  }

  /// Carries out a command that changes the surroundings of the SDK: its device or its storage.
  private func arrange(_ command: CommandName, _ params: JSONField) throws {
    switch command {
    // The SDK is one shared object, so a second instance is the same object.
    case .secondInstance: break
    case .setDevice: try sdk.machine.device.take(params)
    case .corruptStorage:
      let file: StoredFile = try params.required("what").string() == "queue" ? .queue : .install
      try storage.replace(file.rawValue, with: Array("\u{1}{ this is not JSON".utf8))
    default: throw CommandError(kind: "unsupported", message: "this SDK has no such feature")
    }
  }

  /// Updates the facts about the device. The URL that started the app cannot change any more.
  func surround(_ facts: JSON.Object) throws { try sdk.machine.device.take(JSONField(.object(facts))) }

  func quit() { sdk.close() }
}
