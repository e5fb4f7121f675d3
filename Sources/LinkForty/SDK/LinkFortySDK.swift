import ReferenceKit

/// The LinkForty SDK: ``SDKCore`` plugged into an app's surroundings.
package typealias LinkFortySDK = ReferenceSDK<SDKCore>
package typealias SDKInput = ReferenceKit.SDKInput<SDKCall, StoredState, SDKTimer>
package typealias SDKEffect = ReferenceKit.SDKEffect<StoredFile, SDKTimer, SDKError>

/// The timers that the SDK sets; each runs once at a time.
package enum SDKTimer: Hashable, Sendable {
  /// A request has taken too long.
  case timeout(Int)
  /// Queued events are tried again.
  case retry
  /// Only defects ask again for a link that opened the app.
  case again(String)
  /// Only a variant sends a request again after a pause.
  case later(Int)
}
