import ConformanceModel

extension Case {
  /// The first keyword in the case that needs a mock server, such as `fault`; nil if a real server can serve the case.
  package var mockNeed: String? {
    if !mount.isEmpty { return "mount" }
    if !tls.isEmpty { return "tls" }
    return scenarios.lazy.compactMap { ($0.given.flatMap(\.steps) + $0.steps).mockNeed }.first
  }
}

extension [Step] {
  fileprivate var mockNeed: String? { lazy.compactMap(\.mockNeed).first }
}

extension Step {
  fileprivate var mockNeed: String? {
    switch action {
    case .answer, .fault, .heal, .release, .operate: action.word
    default: inner.mockNeed
    }
  }
}
