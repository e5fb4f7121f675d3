import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// The reference server of a protocol for all its services: a state machine without I/O that answers one request at a
/// time.
///
/// A mock connects this server to sockets. `now` is the time on the case's clock, in milliseconds since
/// 1970-01-01T00:00:00Z.
package protocol ServerModel: Sendable {
  /// Answers a request at one of the services, and changes the state of the server.
  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse

  /// Performs a command for operators, which is not part of the protocol. The parameters fit the command's schema. A
  /// command that the server does not support must end with an error, and not with a result.
  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome

  /// Adds values that the subject under test, which calls this server, was provisioned with. For example, the API key
  /// of the subject becomes a key that this server accepts. The names are those of the values in the protocol's
  /// definition.
  mutating func lend(_ values: Bindings)

  /// The mistake in the kit's own data that caused the last answer; nil if the data did not cause a mistake.
  var complaint: String? { get }

  /// Whether a mock answers an almost correct request as if it were correct. If so, the answer does not reveal the
  /// mistake in the request, and only claims report it.
  var isLenient: Bool { get }
}

extension ServerModel {
  package var complaint: String? { nil }

  /// The default: the server is strict.
  package var isLenient: Bool { false }

  /// The default: the server ignores provisioned values.
  package mutating func lend(_ values: Bindings) {}

  /// The default: the server supports no commands for operators.
  package mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    .error(CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'"))
  }
}
