import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// The reference server of a protocol for all its services: a state machine without I/O that answers one request at a
/// time.
///
/// The mock wires it to sockets; `now` is the case's clock, in milliseconds since 1970-01-01T00:00:00Z.
package protocol ServerModel: Sendable {
  /// The answer to a request at one of the services, and the change of state that goes with it.
  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse

  /// Carries out a command for operators, which is not part of the protocol, with parameters that fit its schema. A
  /// command that the server does not carry out ends with an error, never with a result.
  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome

  /// Accepts the values that were provisioned for a subject that calls the server, by the names of the protocol's
  /// values. For example, the API key that the subject got is a key of this server.
  mutating func lend(_ values: Bindings)

  /// The mistake in the kit's own data that caused the last answer; nil if the answer is one of the protocol.
  var complaint: String? { get }

  /// Whether a mock answers an almost correct request as if it were correct. Claims judge the difference.
  var isLenient: Bool { get }
}

extension ServerModel {
  package var complaint: String? { nil }

  /// A server is strict unless it says otherwise.
  package var isLenient: Bool { false }

  /// A server accepts no provisioned values unless it says otherwise.
  package mutating func lend(_ values: Bindings) {}

  /// A server has no commands for operators unless it says otherwise.
  package mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    .error(CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'"))
  }
}
