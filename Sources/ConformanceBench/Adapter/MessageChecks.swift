import AdapterProtocol
import ConformanceModel
import JSONKit

/// What a protocol demands of the messages of its commands.
package struct MessageChecks: Sendable {
  /// What is wrong with the result of a command of the protocol.
  package var result: @Sendable (_ command: String, JSON) -> [JSONField.Problem]
  /// The kinds an error may have; `unsupported` is always one. nil allows all.
  package var errorKinds: Set<String>?

  package init(
    errorKinds: Set<String>? = nil, result: @escaping @Sendable (_ command: String, JSON) -> [JSONField.Problem]
  ) {
    self.errorKinds = errorKinds
    self.result = result
  }

  /// Demands nothing.
  package static let none = MessageChecks { _, _ in [] }

  /// The error as claims see it, and what is wrong with it: `data` has a `kind` from the list. An unknown method is
  /// the kind `unsupported`; an error without a kind gets its code for one.
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
