import AdapterHost
import ConformanceModel
import JSONKit

/// An app that answers every command with what an SDK might answer, and does nothing: no request, no callback, no file.
final class LyingApp: HostedApp {
  private var answer: (_ command: String, _ params: JSON) -> JSON

  /// `answer` is what the protocol's SDKs might say.
  init(_ answer: @escaping (_ command: String, _ params: JSON) -> JSON) { self.answer = answer }

  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void) {
    reply(.success(answer(command, params)))
  }

  func surround(_ facts: JSON.Object) {}

  func quit() {}
}
