import Testing

@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct RateLimitTests {
  private func status(_ server: inout LinkFortyServer, _ path: String, from address: String, at now: Int) -> Int {
    server.respond(to: SwitchScenario.get(path, from: address), at: "main", now: now).status
  }

  @Test func theHundredAndFirstRequestOfAMinuteIsRefused() {
    var limiter = RateLimiter()
    for count in 1...100 {
      let allowance = limiter.count("a", at: count)
      #expect(!allowance.isExceeded && allowance.remaining == 100 - count && allowance.resetsAt == 60_001)
    }
    #expect(limiter.count("a", at: 60_000).isExceeded)
    #expect(!limiter.count("b", at: 60_000).isExceeded)
    #expect(!limiter.count("a", at: 60_001).isExceeded)
  }

  @Test func aRefusalSaysForHowLong() {
    var server = LinkFortyServer(dialect: .cloud)
    for _ in 1...100 { #expect(status(&server, "/api/sdk/v1/health", from: "81.9.9.9", at: 0) == 200) }
    let refused = server.respond(to: SwitchScenario.get("/api/sdk/v1/health", from: "81.9.9.9"), at: "main", now: 1500)
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "59")
    #expect(refused.headers["X-RateLimit-Limit"] == "100" && refused.headers["X-RateLimit-Remaining"] == "0")
    #expect(refused.json?["retryAfter"] == 59 && refused.json?["statusCode"] == 429)
    #expect(status(&server, "/abc123", from: "81.9.9.9", at: 1500) == 200)
    #expect(status(&server, "/api/sdk/v1/health", from: "81.9.9.9", at: 60_000) == 200)
  }

  @Test(arguments: [(ServerDialect.spec, "81.9.9.9"), (.core121, "81.9.9.9"), (.coreNext, "81.9.9.9"), (.cloud, "::1")])
  func otherDialectsAndTheOperatorAreFree(_ dialect: ServerDialect, _ address: String) {
    var server = LinkFortyServer(dialect: dialect)
    for _ in 1...101 { #expect(status(&server, "/api/sdk/v1/health", from: address, at: 0) == 200) }
  }
}
