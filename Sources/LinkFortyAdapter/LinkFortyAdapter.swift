import AdapterHost
import AdapterProtocol
import ConformanceModel
import ConformanceTLS
import LinkForty

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The adapter of the reference SDK: what an author of an SDK writes to have it tested.
@main
struct LinkFortyAdapter {
  static func main() {
    let options: AdapterOptions
    do throws(AdapterOptions.Problem) {
      options = try AdapterOptions(CommandLine.arguments.dropFirst())
    } catch {
      ErrorStream.write("linkforty-adapter: \(error.text)\n")
      exit(2)
    }
    AdapterHost.run(
      hello(options), knownCommands: knownCommands(options.posture), tls: BoringSSLClient()
    ) { launch, surroundings in
      switch options.posture {
      case .honest: try LinkFortyApp(launch, surroundings, switches: options.switches)
      case .null: NullApp()
      case .lying: LyingApp()
      }
    }
  }

  private static func hello(_ options: AdapterOptions) -> AdapterHello {
    let posture = options.posture
    return AdapterHello(
      protocolName: "linkforty", specRevision: "2026-03-12", name: "linkforty-reference", version: "1.0.0",
      language: "swift", platform: "ios", capabilities: posture == .null ? [] : capabilities,
      // Only an SDK that does something can say how long it may still do it.
      declares: posture == .honest ? ["retryWindowMs": .int(LinkFortySDK.retryWindow(options.switches))] : [:],
      clocks: AdapterHost.clocks, instances: .many)
  }

  /// An adapter that says yes to everything knows every command.
  private static func knownCommands(_ posture: AdapterOptions.Posture) -> Set<String>? {
    posture == .lying ? nil : Set(CommandName.allCases.map(\.rawValue))
  }

  private static let capabilities = [
    "initialization", "deferred-deep-links", "direct-deep-links", "events", "revenue", "links", "user-identity",
    "install-data", "first-launch", "offline-queue", "data-management", "reset", "device-id", "app-token",
    "storage-corruption", "second-instance", "set-device", "platform-urls",
  ]
}

/// The process's stderr, unbuffered.
enum ErrorStream {
  static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(2, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

private func writeBytes(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, base, count)
}
