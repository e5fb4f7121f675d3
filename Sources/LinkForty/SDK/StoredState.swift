import ConformanceModel
import JSONKit
import ReferenceKit

/// The files in the SDK's storage.
package enum StoredFile: String, CaseIterable, Sendable {
  /// That the app has been launched before.
  case launch = "launch.json"
  /// The install that was reported.
  case install = "install.json"
  /// The events that wait to be sent.
  case queue = "queue.json"
  /// Only defects write it: the user id belongs in memory.
  case user = "user.json"
}

/// What an earlier launch left behind. A file that cannot be read counts as one that was never written.
package struct StoredState: StoredContents {
  package var hasLaunched = false
  /// When it was launched first, in milliseconds since 1970; only defects ask for that.
  package var launchedAt: Int?
  package var install: InstallResponse?
  package var queue: [PendingEvent] = []
  package var externalUserID: String?
  /// The files that were there and made no sense.
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
