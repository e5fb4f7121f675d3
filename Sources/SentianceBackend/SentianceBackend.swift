import ConformanceTLS
import ConformanceWire
import FoundationEssentials
import ReferenceKit
import Sentiance

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A customer's backend for Sentiance. `--port NUMBER` sets its port; the environment contains all other settings, see
/// ``BackendSettings``.
@main
struct SentianceBackend {
  /// The limits for calls of the platform. They are short, so that the app still waits for its answer when a call of
  /// the platform fails. The backend does not repeat a failed call, since the app can repeat its request.
  private static let platformLimits = WireClient.Limits(
    connect: .seconds(3), exchange: .seconds(5), responseBytes: 1 << 20)

  static func main() async throws {
    // Missing data is reported at the start, not at the first request.
    _ = SentianceExchange.golden
    let settings: BackendSettings
    let port: Int
    do throws(BackendSettings.Problem) {
      settings = try BackendSettings(environment: ProcessInfo.processInfo.environment)
      port = try Self.port(in: CommandLine.arguments)
    } catch {
      ErrorStream.write("sentiance-backend: \(error)\n")
      exit(2)
    }
    let platform =
      try settings.authorities.map { file in try WireClient.trusting(file, limits: platformLimits) }
      ?? .verifying(limits: platformLimits)
    let service = BackendService(CustomerBackend(settings), platform: platform)
    try await BackendServer(service).serve(onPort: port)
  }

  private static func port(in arguments: [String]) throws(BackendSettings.Problem) -> Int {
    guard arguments.count == 3, arguments[1] == "--port", let port = Int(arguments[2]), (1...65535).contains(port)
    else {
      throw BackendSettings.Problem(description: "it takes --port NUMBER and nothing else")
    }
    return port
  }
}
