import ReferenceKit

/// The LinkForty SDK: ``SDKCore`` connected to the network, storage and clock of an app.
package typealias LinkFortySDK = ReferenceSDK<SDKCore>
package typealias SDKInput = ReferenceKit.SDKInput<SDKCall, StoredState, SDKTimer>
package typealias SDKEffect = ReferenceKit.SDKEffect<StoredFile, SDKTimer, SDKError>

/// The timers that the SDK sets. For each value, at most one timer runs at a time.
package enum SDKTimer: Hashable, Sendable {
  /// The request with this number has taken too long.
  case timeout(Int)
  /// The SDK sends queued events again.
  case retry
  /// A defect resolves this URL, which opened the app, again.
  case again(String)
  /// A variant repeats the request with this number.
  case later(Int)
}
