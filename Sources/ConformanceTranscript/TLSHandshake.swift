import JSONKit

/// The result of the TLS handshake of a client with a mock server.
package struct TLSHandshake: Hashable, Sendable {
  package enum Outcome: String, CaseIterable, Sendable {
    /// Both sides use TLS from now on.
    case completed
    /// The client received a certificate and ended the handshake.
    case refused
    /// The handshake ended before a certificate was sent.
    case failed
  }

  package var connection: Int
  package var outcome: Outcome
  /// A description of the outcome, such as the client's alert.
  package var text: String

  package init(connection: Int, outcome: Outcome, text: String) {
    self.connection = connection
    self.outcome = outcome
    self.text = text
  }
}

extension TLSHandshake: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("connection", connection)
    members.add("outcome", outcome.rawValue)
    members.add("text", text)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    self.init(
      connection: try field.required("connection").int(), outcome: try field.required("outcome").word(Outcome.self),
      text: try field.required("text").string())
  }
}
