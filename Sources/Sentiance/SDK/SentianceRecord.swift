import JSONKit
import ReferenceKit

/// The files in the SDK's storage.
package enum SentianceFile: String, CaseIterable, Sendable {
  /// All data of the SDK. It is in one file, so that a new user and the end of its creation attempt are stored
  /// together.
  case record = "sentiance.json"
}

/// The user on the device.
package struct UserRecord: Hashable, Sendable {
  package var id: String
  package var installID: String
  package var token: AccessToken
  package var isLinked: Bool
  /// False if the platform has deactivated the user or switched the SDK off for the user.
  package var isEnabled: Bool
  package var platformURL: String
  /// A digest of the credentials with which the app created the user; nil if it created the user with a code.
  package var credentials: String?

  package init(
    id: String, installID: String, token: AccessToken, isLinked: Bool, isEnabled: Bool, platformURL: String,
    credentials: String? = nil
  ) {
    self.id = id
    self.installID = installID
    self.token = token
    self.isLinked = isLinked
    self.isEnabled = isEnabled
    self.platformURL = platformURL
    self.credentials = credentials
  }

  /// The user in the form in which the app gets it.
  var told: JSON { ["userId": .string(id), "token": token.told] }
}

/// A creation that has begun and has not ended. If the answer is lost or the app crashes, the app repeats the creation,
/// and the SDK uses the same attempt id. By this id, the platform recognises the repetition: it neither creates a
/// second user nor rejects the code as used.
package struct CreationAttempt: Hashable, Sendable {
  package var id: String
  /// The key of the creation, see ``Creation/key``.
  package var key: String
}

/// The data that the SDK keeps between launches of the app.
package struct SentianceRecord: Hashable, Sendable {
  package var user: UserRecord?
  package var attempt: CreationAttempt?

  package init(user: UserRecord? = nil, attempt: CreationAttempt? = nil) {
    self.user = user
    self.attempt = attempt
  }
}

/// The data that earlier launches stored. A file that cannot be read counts as absent.
package struct SentianceStored: StoredContents {
  package var record = SentianceRecord()

  package init(_ record: SentianceRecord) { self.record = record }

  package init(reading read: (SentianceFile) -> [UInt8]?) {
    let field = read(.record).flatMap { try? JSON(parsing: $0) }.map { JSONField($0) }
    record = field.flatMap { try? SentianceRecord($0) } ?? SentianceRecord()
  }
}

extension SentianceRecord: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [("user", user?.representation), ("attempt", attempt?.representation)])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    user = try field.decodeIfPresent("user")
    attempt = try field.decodeIfPresent("attempt")
  }
}

extension UserRecord: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("id", .string(id)), ("installId", .string(installID)), ("token", token.representation),
      ("linked", .bool(isLinked)), ("enabled", .bool(isEnabled)), ("platformUrl", .string(platformURL)),
      ("credentials", credentials.map(JSON.string)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").string()
    installID = try field.required("installId").string()
    token = try AccessToken(field.required("token"))
    isLinked = try field.required("linked").bool()
    isEnabled = try field.required("enabled").bool()
    platformURL = try field.required("platformUrl").string()
    credentials = try field.optional("credentials")?.string()
  }
}

extension CreationAttempt: JSONRepresentable {
  package var representation: JSON { ["id": .string(id), "key": .string(key)] }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    id = try field.required("id").string()
    key = try field.required("key").string()
  }
}
