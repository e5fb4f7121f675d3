import HTTPValues
import JSONKit
import ReferenceKit
import Templates

/// A parsed answer of the platform. A member with a wrong type is an error, and an unknown member is ignored.
protocol PlatformAnswer {
  init(_ body: JSONField) throws(JSONField.Problem)
}

/// A user's access token.
package struct AccessToken: Hashable, Sendable, PlatformAnswer {
  package var id: String
  /// The instant at which the token expires, as the platform spelled it.
  package var expiresAt: String

  package init(id: String, expiresAt: String) {
    self.id = id
    self.expiresAt = expiresAt
  }

  init(_ body: JSONField) throws(JSONField.Problem) {
    id = try body.required("id").filled()
    let end = try body.required("expires_at")
    expiresAt = try end.string()
    guard Timestamp(expiresAt) != nil else { throw end.problem(expected: "a timestamp with a zone") }
  }

  var representation: JSON { ["id": .string(id), "expires_at": .string(expiresAt)] }

  /// The token in the form in which the app gets it.
  var told: JSON { ["id": .string(id), "expiresAt": .string(expiresAt)] }

  /// Whether the token has not expired at the instant `now`, in milliseconds since 1970.
  func isValid(at now: Int) -> Bool { Timestamp(expiresAt).map { now < $0.milliseconds } ?? false }
}

/// The configuration of the SDK that the platform provides.
struct Configuration: Hashable, Sendable, PlatformAnswer {
  var isActive: Bool
  var isLinked: Bool
  var isSwitchedOff: Bool

  init(_ body: JSONField) throws(JSONField.Problem) {
    isActive = try body.required("active").bool()
    isLinked = try body.required("linked").bool()
    isSwitchedOff = try body.required("killswitch_action").filled() == "disable_sdk"
  }

  var isEnabled: Bool { isActive && !isSwitchedOff }
}

/// The result of a creation. It has no `userID` if a linker must link the install before it gets a user.
struct CreatedUser: Hashable, Sendable, PlatformAnswer {
  var installID: String
  var token: AccessToken
  var userID: String?
  var isLinked: Bool
  var configuration: Configuration

  init(_ body: JSONField) throws(JSONField.Problem) {
    installID = try body.required("install_id").filled()
    token = try AccessToken(body.required("token"))
    userID = try body.optional("user_id")?.filled()
    isLinked = try body.required("linked").bool()
    configuration = try Configuration(body.required("config"))
  }
}

/// The user to whom an install belongs.
struct Person: Hashable, Sendable, PlatformAnswer {
  var id: String
  var isLinked: Bool
  var configuration: Configuration

  init(_ body: JSONField) throws(JSONField.Problem) {
    id = try body.required("id").filled()
    isLinked = try body.required("third_party_linked").bool()
    configuration = try Configuration(body.required("config"))
  }
}

extension JSONField {
  /// Returns the text of the field. Throws if the text is empty.
  fileprivate func filled() throws(Problem) -> String {
    let text = try string()
    guard !text.isEmpty else { throw problem(expected: "a text that is not empty") }
    return text
  }
}

extension Result<HTTPResponse, TransportFailure> {
  /// The parsed answer. If the request failed, if the platform refused it, or if the answer is invalid, the failure
  /// with which the app's call fails.
  func read<Answer: PlatformAnswer>(_ type: Answer.Type) -> Result<Answer, SentianceFailure> {
    switch self {
    case .failure(let failure): return .failure(SentianceFailure(.networkError, failure.text))
    case .success(let response) where response.status != 200: return .failure(response.refusal)
    case .success(let response):
      do {
        return .success(try Answer(JSONField(JSON(parsing: response.body))))
      } catch {
        return .failure(SentianceFailure(.serverError, "the answer makes no sense: \(error)"))
      }
    }
  }
}

extension HTTPResponse {
  fileprivate var refusal: SentianceFailure {
    let body = try? JSON(parsing: self.body)
    let refusal = PlatformRefusal(
      status: status, code: body?["errorCode"]?.string, message: body?["message"]?.string)
    // Only for this refusal, linking has a separate reason.
    let reason: SentianceReason = refusal.code == "USER_ALREADY_LINKED" ? .userAlreadyLinked : .serverError
    return SentianceFailure(reason, refusal.details, refusal: refusal)
  }
}
