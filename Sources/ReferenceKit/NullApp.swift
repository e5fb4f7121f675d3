import AdapterHost
import ConformanceModel
import JSONKit

/// An app without an SDK: it can do nothing, and says so.
final class NullApp: HostedApp {
  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    reply(.failure(CommandError(kind: CommandError.unsupported, message: "there is no SDK here")))
  }

  func surround(_ facts: JSON.Object) {}

  func quit() {}
}
