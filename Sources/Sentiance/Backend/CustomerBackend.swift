import HTTPValues
import JSONKit
import ReferenceKit

/// The backend of a customer of Sentiance, without I/O. It asks the platform to link the installs of its users, and
/// gets authentication codes for them.
///
/// The backend identifies the user only by the session in a request. It ignores anything else that the app sends about
/// its user. It reports success to the app only after the platform has reported success. Its error answers do not
/// contain texts of the platform. Source: User linking, User Creation.
package struct CustomerBackend: Hashable, Sendable {
  /// The backend's reaction to a request of the app.
  package enum Decision: Hashable, Sendable {
    case answer(HTTPResponse)
    /// Call the platform, and pass its answer to ``answer(to:_:)``.
    case ask(PlatformCall)
  }

  /// An error answer for the app.
  private struct Problem: Error {
    var status: Int
    var text: String

    init(_ status: Int, _ text: String) {
      self.status = status
      self.text = text
    }
  }

  package let settings: BackendSettings
  private var links = LinkBook()

  package init(_ settings: BackendSettings) { self.settings = settings }

  /// Decides how to react to a request of the app. A request without a valid session never causes a call of the
  /// platform.
  package func decide(on request: HTTPRequest) -> Decision {
    do throws(Problem) {
      return try decision(on: request)
    } catch {
      return .answer(.json(error.status, ["error": .string(error.text)]))
    }
  }

  private func decision(on request: HTTPRequest) throws(Problem) -> Decision {
    switch (request.method, request.path) {
    case ("GET", "/health"): return .answer(.json(200, ["healthy": true]))
    case ("POST", "/sentiance/link"):
      let externalID = try externalID(of: request)
      return .ask(.link(installID: try installID(of: request), externalID: externalID))
    case ("POST", "/sentiance/auth-code"):
      // Each request gets a new code, because a code is valid for minutes and permits the same as a login.
      return .ask(.issueCode(externalID: try externalID(of: request)))
    case ("GET", "/sentiance/config"): return .answer(try credentials(for: try externalID(of: request)))
    case ("GET", "/sentiance/user"): return .answer(.json(200, told(of: try externalID(of: request))))
    case ("DELETE", "/sentiance/user"): return try deletion(of: try externalID(of: request))
    default: throw Problem(404, "there is no such place")
    }
  }

  private func externalID(of request: HTTPRequest) throws(Problem) -> String {
    let words = (request.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[0].equalsIgnoringCase("Bearer"),
      let externalID = settings.sessions.externalID(of: words[1])
    else { throw Problem(401, "there is no such session") }
    return externalID
  }

  /// The install id in a request. It is an error if the id is missing or blank, or if it is `.` or `..`, which would
  /// change the path of a URL.
  private func installID(of request: HTTPRequest) throws(Problem) -> String {
    guard let body = try? JSON(parsing: request.body), let installID = body["install_id"]?.string,
      !installID.allSatisfy(\.isWhitespace), ![".", ".."].contains(installID)
    else { throw Problem(400, "the install id is missing") }
    return installID
  }

  /// The answer with the app's credentials. An app that creates its users through a linker needs these credentials.
  private func credentials(for externalID: String) throws(Problem) -> HTTPResponse {
    guard let appID = settings.appID, let secret = settings.appSecret else {
      throw Problem(404, "this app has a code instead")
    }
    return .json(200, ["id": .string(appID), "secret": .string(secret)])
  }

  private func told(of externalID: String) -> JSON {
    guard let entry = links[externalID] else {
      return ["linked": false, "id": .null, "install_id": .null, "former_install_ids": []]
    }
    return [
      "linked": true, "id": .string(entry.sentianceID), "install_id": entry.installs.first.map(JSON.string) ?? .null,
      "former_install_ids": .strings(entry.installs.dropFirst()),
    ]
  }

  private func deletion(of externalID: String) throws(Problem) -> Decision {
    guard settings.deleteKey != nil else { throw Problem(404, "this backend deletes no users") }
    guard let entry = links[externalID] else { throw Problem(404, "the user has no Sentiance user") }
    return .ask(.deleteUser(sentianceID: entry.sentianceID, externalID: externalID))
  }
}

// Answers of the platform, and the resulting answers for the app.
extension CustomerBackend {
  /// The answer for the app after the backend has called the platform with this result.
  package mutating func answer(
    to call: PlatformCall, _ result: Result<HTTPResponse, TransportFailure>
  ) -> HTTPResponse {
    guard case .success(let response) = result else { return .json(504, ["error": "try again later"]) }
    // A user that does not exist on the platform counts as deleted.
    if case .deleteUser(_, let externalID) = call, [200, 404].contains(response.status) {
      links.forget(externalID)
      return .json(200, ["deleted": true])
    }
    guard response.status == 200 else { return refusal(response) }
    let body = try? JSON(parsing: response.body)
    switch call {
    case .link(let installID, let externalID): return linked(installID, externalID, body) ?? Self.unusable
    case .issueCode: return issued(body) ?? Self.unusable
    case .deleteUser: return Self.unusable
    }
  }

  private static let unusable = HTTPResponse.json(502, ["error": "Sentiance cannot be asked"])

  /// Stores a link that the platform has confirmed, and returns the answer for the app. Returns nil if the platform's
  /// answer contains no user id. In the older form of this answer, the member is `person_id`.
  private mutating func linked(_ installID: String, _ externalID: String, _ body: JSON?) -> HTTPResponse? {
    guard let id = (body?["id"] ?? body?["person_id"])?.string, !id.isEmpty else { return nil }
    links.keep(installID, of: externalID, as: id)
    return .json(200, ["linked": true, "id": .string(id)])
  }

  private func issued(_ body: JSON?) -> HTTPResponse? {
    guard let code = body?["authentication_code"]?.string, !code.isEmpty else { return nil }
    return .json(
      200,
      [
        "auth_code": .string(code), "expires_at": body?["expires_at"] ?? .null,
        "platform_url": .string(settings.platformURL),
      ])
  }

  /// The answer for the app after the platform refused a call. If the platform rejected the API key, this is a mistake
  /// of the backend, so the answer must not make the app log in again.
  private func refusal(_ response: HTTPResponse) -> HTTPResponse {
    let code = (try? JSON(parsing: response.body))?["errorCode"]?.string ?? ""
    if [403, 404].contains(response.status), code.hasPrefix("INSTALL_") || code.hasPrefix("CANNOT_LINK_") {
      return .json(409, ["error": "this install cannot be linked"])
    }
    if response.status >= 500 || response.status == 429 { return .json(503, ["error": "try again later"]) }
    return Self.unusable
  }
}
