import HTTPValues

extension LinkFortyServer {
  /// Applies the hosted service's limit to calls of the API. Calls are counted for each public address of a client.
  /// Links that people open do not count, and neither do calls from other addresses, such as the operator's loopback
  /// address.
  mutating func withinLimit(_ request: HTTPRequest, _ answer: (inout LinkFortyServer) -> HTTPResponse) -> HTTPResponse {
    let isFree = !request.path.hasPrefix("/api/") && !switches.has(.rateLimitCoversRedirects)
    guard dialect == .cloud, !isFree, NetworkAddress(request.clientAddress).isAttributable else { return answer(&self) }
    let allowance = limiter.count(request.clientAddress, at: now)
    let seconds = (allowance.resetsAt - now + 999) / 1000
    var response = allowance.isExceeded ? tooMany(seconds) : answer(&self)
    response.headers["X-RateLimit-Limit"] = "\(RateLimiter.limit)"
    response.headers["X-RateLimit-Remaining"] = "\(allowance.remaining)"
    response.headers["X-RateLimit-Reset"] = "\(allowance.resetsAt / 1000)"
    return response
  }

  private func tooMany(_ seconds: Int) -> HTTPResponse {
    var response = HTTPResponse.json(
      429,
      [
        "error": "Too Many Requests", "message": "Rate limit exceeded", "statusCode": 429,
        "retryAfter": .int(seconds),
      ])
    response.headers["Retry-After"] = "\(seconds)"
    return response
  }
}
