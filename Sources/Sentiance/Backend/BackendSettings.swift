import ReferenceKit

/// The settings that a backend reads from its environment when it starts.
package struct BackendSettings: Hashable, Sendable {
  /// The error for a missing or invalid setting.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// The URL of the platform as it is spelled in the environment.
  package var platformURL: String
  package var platform: ServiceAddress
  /// An API key of the platform with the scope `user.link`.
  package var apiKey: String
  /// An API key of the platform with the scope `user.delete`; nil if the backend does not delete users.
  package var deleteKey: String?
  /// The id that the app has on the platform. This id and ``appSecret`` are the app's credentials. Nil if the app does
  /// not get its credentials from this backend.
  package var appID: String?
  package var appSecret: String?
  package var sessions: Sessions
  /// A PEM file with certificate authorities that the backend trusts in addition to those of the system.
  package var authorities: String?

  package init(environment: [String: String]) throws(Problem) {
    func setting(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let url = setting("SENTIANCE_BASE_URL"), let address = ServiceAddress(url) else {
      throw Problem(
        description: "SENTIANCE_BASE_URL: expected the platform's URL, such as https://api.sentiance.com, found "
          + (environment["SENTIANCE_BASE_URL"].map { "'\($0)'" } ?? "none"))
    }
    guard let key = setting("SENTIANCE_API_KEY") else {
      throw Problem(description: "SENTIANCE_API_KEY: expected a key with the scope user.link, found none")
    }
    (platformURL, platform, apiKey) = (url, address, key)
    deleteKey = setting("SENTIANCE_DELETE_KEY")
    appID = setting("SENTIANCE_APP_ID")
    appSecret = setting("SENTIANCE_APP_SECRET")
    authorities = setting("SENTIANCE_CA_FILE")
    sessions = try Sessions(environment["SESSIONS"] ?? "")
  }
}

/// The sessions of the users that are logged in. Each session belongs to one user, whom Sentiance knows by an external
/// id.
package struct Sessions: Hashable, Sendable {
  private let externalIDs: [String: String]

  /// `text` contains pairs of a session and an external id, such as `s-1=anna,s-2=ben`.
  package init(_ text: String) throws(BackendSettings.Problem) {
    var externalIDs: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw BackendSettings.Problem(
          description: "SESSIONS: expected pairs of a session and an external id, such as s-1=anna,s-2=ben")
      }
      externalIDs[parts[0]] = parts[1]
    }
    self.externalIDs = externalIDs
  }

  /// The external id of the session's user; nil for an unknown session.
  func externalID(of session: String?) -> String? { session.flatMap { externalIDs[$0] } }
}
