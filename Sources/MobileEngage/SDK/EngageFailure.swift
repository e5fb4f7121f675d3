import JSONKit

/// The reason why a call failed.
package struct EngageFailure: Error, Hashable, Sendable {
  package enum Kind: String, Sendable {
    /// The server answered with a status other than 2xx.
    case http
    /// No answer arrived, or no connection could be made.
    case network
    /// The SDK rejected the call before it sent anything.
    case rejected
    case `internal`
  }

  package var kind: Kind
  package var status: Int?
  package var message: String

  init(_ kind: Kind, _ message: String, status: Int? = nil) {
    self.kind = kind
    self.status = status
    self.message = message
  }
}

extension Result<Void, EngageFailure> {
  /// The failure in the form in which the app gets it.
  var told: JSON {
    switch self {
    case .success: ["ok": true]
    case .failure(let failure):
      [
        "ok": false,
        "error": .object(compact: [
          ("kind", .string(failure.kind.rawValue)), ("status", failure.status.map(JSON.int)),
          ("message", .string(failure.message)),
        ]),
      ]
    }
  }
}
