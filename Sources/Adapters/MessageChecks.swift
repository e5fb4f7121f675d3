import AdapterProtocol
import ConformanceTranscript
import JSONKit

/// The requirements of a protocol for the results and errors of its commands.
package struct MessageChecks: Sendable {
  /// Returns the problems in the result of a command of the protocol.
  package var result: @Sendable (_ command: String, JSON) -> [JSONField.Problem]
  /// The kinds of errors that the protocol allows, in addition to `unsupported`. If nil, all kinds are allowed.
  package var errorKinds: Set<String>?

  package init(
    errorKinds: Set<String>? = nil, result: @escaping @Sendable (_ command: String, JSON) -> [JSONField.Problem]
  ) {
    self.errorKinds = errorKinds
    self.result = result
  }

  /// Checks nothing.
  package static let none = MessageChecks { _, _ in [] }

  /// Converts an error to the form that claims read. Also returns a problem if the `kind` in `data` is missing or is
  /// not in ``errorKinds``. If the adapter does not know the method, the kind is `unsupported`, without a problem. If
  /// `data` has no `kind`, the error code becomes the kind.
  func read(_ error: RPCError) -> (error: CommandError, problem: JSONField.Problem?) {
    if error.code == RPCError.methodNotFound {
      return (CommandError(kind: CommandError.unsupported, message: error.message), nil)
    }
    let data = JSONField(error.data ?? .object(.init()), path: JSONPath([.key("error"), .key("data")]))
    do {
      var read = try CommandError(data)
      read.message = error.message
      return (read, problem(with: read.kind, in: data))
    } catch let problem {
      return (CommandError(kind: String(error.code), message: error.message), problem)
    }
  }

  private func problem(with kind: String, in data: JSONField) -> JSONField.Problem? {
    guard let errorKinds, kind != CommandError.unsupported, !errorKinds.contains(kind) else { return nil }
    let expected = "one of " + errorKinds.union([CommandError.unsupported]).sorted().joined(separator: ", ")
    return .init(path: data.path.appending(key: "kind"), expected: expected, found: "'\(kind)'")
  }
}
