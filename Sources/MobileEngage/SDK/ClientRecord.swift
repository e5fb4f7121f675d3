import JSONKit
import ReferenceKit

/// The files in the SDK's storage.
package enum EngageFile: String, CaseIterable, Sendable {
  /// The identity of the client, and the values that servers gave it.
  case client = "client.json"
  /// The requests that wait to be sent, as a journal.
  case queue = "queue.journal"
  /// The data that a version of the SDK before v3 stored.
  case legacy = "legacy.json"
}

/// The stored facts about the client. Source: the values that the steps A1 to C4 of the workflow store.
package struct ClientRecord: Hashable, Sendable {
  /// The id of the installation; nil before the first setup.
  var clientID: String?
  var clientState: String?
  /// The properties of the last registration that was accepted.
  var registered: JSON?
  var contactToken: String?
  var refreshToken: String?
  /// The contact to which the tokens belong; nil for an anonymous contact.
  var contact: ContactIdentity?
  /// The push token of the last registration that was accepted.
  var registeredPushToken: String?
  /// The state of the device's events, from the last answer to a request with events. The SDK does not interpret this
  /// state.
  var deviceEventState: JSON.Object?
  /// The number in the field `X-Request-Order` of the last request that was sent.
  var lastOrder = 0

  package init() {}
}

extension ClientRecord: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("clientId", clientID.map(JSON.string)), ("clientState", clientState.map(JSON.string)),
      ("registered", registered), ("contactToken", contactToken.map(JSON.string)),
      ("refreshToken", refreshToken.map(JSON.string)), ("contact", contact?.representation),
      ("registeredPushToken", registeredPushToken.map(JSON.string)),
      ("deviceEventState", deviceEventState.map(JSON.object)),
      ("lastOrder", .int(lastOrder)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    clientID = try field.optional("clientId")?.string()
    clientState = try field.optional("clientState")?.string()
    registered = field.value["registered"]
    contactToken = try field.optional("contactToken")?.string()
    refreshToken = try field.optional("refreshToken")?.string()
    contact = try field.decodeIfPresent("contact")
    registeredPushToken = try field.optional("registeredPushToken")?.string()
    deviceEventState = field.optional("deviceEventState")?.value.object
    lastOrder = try field.required("lastOrder").int()
  }
}

/// The data that earlier launches stored. A file that cannot be read counts as absent.
package struct EngageStored: StoredContents {
  package var client = ClientRecord()
  package var queue: [WaitingRequest] = []
  /// The id by which an older version of the SDK identified the device.
  package var legacyID: String?

  package init() {}

  package init(reading read: (EngageFile) -> [UInt8]?) {
    func field(_ file: EngageFile) -> JSONField? { read(file).flatMap { try? JSON(parsing: $0) }.map { JSONField($0) } }
    client = field(.client).flatMap { try? ClientRecord($0) } ?? ClientRecord()
    queue = Journal.entries(of: read(.queue) ?? []).compactMap { number, value in
      var request = try? WaitingRequest(JSONField(value))
      request?.number = number
      return request
    }
    legacyID = field(.legacy)?.value["hardwareId"]?.string
  }
}
