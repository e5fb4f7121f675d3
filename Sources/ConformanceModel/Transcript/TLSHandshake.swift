import JSONKit

/// What the TLS handshake of a client with a mock server came to.
package struct TLSHandshake: Hashable, Sendable {
  package enum Outcome: String, CaseIterable, Sendable {
    /// Both sides speak TLS from now on.
    case completed
    /// The client was shown a certificate, and ended the handshake.
    case refused
    /// It never came to a certificate.
    case failed
  }

  package var connection: Int
  package var outcome: Outcome
  /// Why it did not complete, or in which version it did.
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
