import JSONKit
import LinkFortyModel

/// The link that led to the install, on its way to the app: each registered callback gets it, or null, exactly once a
/// launch, whether it was registered before or after the link was known.
struct DeferredLink: Hashable, Sendable {
  private enum Knowledge: Hashable, Sendable {
    case unknown
    case known(DeepLinkData?)
  }

  private var knowledge = Knowledge.unknown
  private var waiting: [String] = []

  /// Registers a callback; the value for it when that is known already.
  mutating func register(_ handle: String) -> JSON? {
    guard case .known(let data) = knowledge else {
      waiting.append(handle)
      return nil
    }
    return data?.representation ?? .null
  }

  /// Takes note of the link, nil for an organic install; the callbacks that were waiting for it.
  mutating func settle(_ data: DeepLinkData?) -> [String] {
    knowledge = .known(data)
    defer { waiting = [] }
    return waiting
  }

  /// Forgets the link. It keeps the fact that no further link will come.
  mutating func wipe() {
    if case .known = knowledge { knowledge = .known(nil) }
  }
}
