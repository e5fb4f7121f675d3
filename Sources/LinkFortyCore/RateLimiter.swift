/// Limits the requests of each client: at most ``limit`` in a minute that begins with the client's first request.
package struct RateLimiter: Sendable {
  /// Whether the client has exceeded the limit, and the number of requests that it may still send.
  struct Allowance: Hashable, Sendable {
    var isExceeded: Bool
    var remaining: Int
    /// The time at which the client may send the full number of requests again, in milliseconds since 1970.
    var resetsAt: Int
  }

  /// The number of requests that a client may send in a minute.
  package static let limit = 100
  private static let window = 60_000

  private var windows: [String: (began: Int, count: Int)] = [:]

  /// Counts a request of a client. `now` is in milliseconds since 1970.
  mutating func count(_ client: String, at now: Int) -> Allowance {
    let (began, count) = windows[client].flatMap { now - $0.began < Self.window ? $0 : nil } ?? (now, 0)
    windows[client] = (began, count + 1)
    return Allowance(
      isExceeded: count >= Self.limit, remaining: max(0, Self.limit - count - 1), resetsAt: began + Self.window)
  }
}
