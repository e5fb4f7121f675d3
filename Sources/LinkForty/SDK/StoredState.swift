import JSONKit
import LinkFortyModel
import ReferenceKit
import Templates

/// The files in the SDK's storage.
package enum StoredFile: String, CaseIterable, Sendable {
  /// Marks that the app was launched before.
  case launch = "launch.json"
  /// The install that was reported.
  case install = "install.json"
  /// The events that wait to be sent.
  case queue = "queue.json"
  /// The user id. The specification keeps it in memory only, so only defects write this file.
  case user = "user.json"
}

/// The data that earlier launches stored. A file that cannot be read counts as absent.
package struct StoredState: StoredContents {
  package var hasLaunched = false
  /// The time of the first launch, in milliseconds since 1970; only defects use it.
  package var launchedAt: Int?
  package var install: InstallResponse?
  package var queue: [PendingEvent] = []
  package var externalUserID: String?
  /// The files that exist but are not valid.
  package var unreadable: [StoredFile] = []

  package init() {}

  /// Reads the files.
  package init(reading read: (StoredFile) -> [UInt8]?) {
    let launch = read(.launch)
    hasLaunched = launch != nil
    launchedAt = launch.flatMap { try? JSON(parsing: $0) }?["launchedAt"]?.string
      .flatMap { Timestamp($0)?.milliseconds }
    install = value(.install, read) { field throws(JSONField.Problem) in try InstallResponse(field) }
    queue = value(.queue, read) { field throws(JSONField.Problem) in try PendingEvent.list(field) } ?? []
    externalUserID = value(.user, read) { field throws(JSONField.Problem) in try field.string() }
  }

  private mutating func value<Value>(
    _ file: StoredFile, _ read: (StoredFile) -> [UInt8]?, _ make: (JSONField) throws(JSONField.Problem) -> Value
  ) -> Value? {
    guard let bytes = read(file) else { return nil }
    do {
      return try make(JSONField(JSON(parsing: bytes)))
    } catch {
      unreadable.append(file)
      return nil
    }
  }
}
