import JSONKit

/// A protocol's reference server behind all its services: a state machine without I/O that answers one request at a
/// time.
///
/// The mock wires it to sockets; `now` is the case's clock, in milliseconds since 1970-01-01T00:00:00Z.
package protocol ServerModel: Sendable {
  /// The answer to a request at one of the services, and the change of state that goes with it.
  mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse

  /// Does what an operator could do with the server beside its protocol: a command for operators, with parameters
  /// that fit its schema. What is not done is an error, never a result.
  mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome

  /// Takes over what a subject that calls the server was lent, by the names of the protocol's values: the key that its
  /// operator gave it is a key of this server.
  mutating func lend(_ values: Bindings)

  /// Why the last answer is none that the protocol knows but a mistake of the kit's own data; nil where it is not.
  var complaint: String? { get }

  /// Whether a mock answers a request that is almost right as if it were right, since claims look at what is wrong with it.
  var isLenient: Bool { get }
}

extension ServerModel {
  package var complaint: String? { nil }

  /// A server as its clients meet it.
  package var isLenient: Bool { false }

  /// A server that knows what it knows.
  package mutating func lend(_ values: Bindings) {}

  /// A server that nobody can operate.
  package mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    .error(CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'"))
  }
}
