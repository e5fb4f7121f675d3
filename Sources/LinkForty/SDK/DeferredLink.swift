import JSONKit
import LinkFortyModel

/// Delivers the link that led to the install. Each registered callback gets the link (null for an organic install)
/// exactly once in each launch, whether the callback was registered before or after the link was known.
struct DeferredLink: Hashable, Sendable {
  private enum Knowledge: Hashable, Sendable {
    case unknown
    case known(DeepLinkData?)
  }

  private var knowledge = Knowledge.unknown
  private var waiting: [String] = []

  /// Registers a callback. If it is known already whether a link led to the install, returns the link or null.
  /// Otherwise returns nil, and the callback waits.
  mutating func register(_ handle: String) -> JSON? {
    guard case .known(let data) = knowledge else {
      waiting.append(handle)
      return nil
    }
    return data?.representation ?? .null
  }

  /// Records the link that led to the install; nil for an organic install. Returns the callbacks that waited for the
  /// link.
  mutating func settle(_ data: DeepLinkData?) -> [String] {
    knowledge = .known(data)
    defer { waiting = [] }
    return waiting
  }

  /// Removes the link. If the link was known, callbacks that are registered later get null at once, since no further
  /// link comes in this launch.
  mutating func wipe() {
    if case .known = knowledge { knowledge = .known(nil) }
  }
}
